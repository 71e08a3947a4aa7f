internal import KeyValueObservingCore

/// Writes down what observers hear, so that a test compares the whole history.
///
/// One recorder may observe several key paths of several objects; its history is in the order in
/// which the changes were delivered. It may be told of changes on any thread. Its observations last
/// until ``invalidate()`` or the end of the recorder; it retains no object that it observes (P5), but the
/// values in its history.
///
/// ```swift
/// let recorder = KeyValueChangeRecorder()
/// recorder.observe(\.title, of: article, as: "title")
/// article.title = "Hello"
/// recorder.expect([.init("title", .setting(from: "", to: "Hello"))])
/// ```
public final class KeyValueChangeRecorder {
  private let history = History()
  private var tokens: [KeyValueObservation] = []

  /// Creates a recorder with an empty history.
  public init() {}

  /// What has been heard since the recorder was made, or since ``take()``.
  ///
  /// Complexity: O(1).
  public var changes: [KeyValueChangeRecord] { history.changes }

  /// Observes the value at a key path, and writes each change down under a name.
  ///
  /// Changes are heard as by `observe(_:options:changeHandler:)`, also on its actor (P40).
  ///
  /// - Parameters:
  ///   - keyPath: The key path to observe.
  ///   - object: The object from which the path starts.
  ///   - options: What the changes shall hold, and whether there is a first one.
  ///   - name: Stands in front of each change.
  ///   - isolation: The actor to which the observation belongs (P40): the caller's, if there is
  ///     one. With nil changes are written down on the thread that makes them.
  ///
  /// - Complexity: that of registering.
  public func observe<Object: KeyValueObservable, Value>(
    _ keyPath: KeyPath<Object, Value>, of object: Object,
    options: KeyValueObservation.Options = [.new, .old], as name: String = "",
    isolation: isolated (any Actor)? = #isolation
  ) {
    tokens.append(
      object.observe(keyPath, options: options, isolation: isolation) { [history] _, change in
        history.append(KeyValueChangeRecord(name, change))
      })
  }

  /// Observes the value at a key path that is given as a string, and writes each change down.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - object: The object from which the path starts.
  ///   - options: What the changes shall hold, and whether there is a first one.
  ///   - name: Stands in front of each change.
  ///   - isolation: The actor to which the observation belongs (P40): the caller's, if there is
  ///     one. With nil changes are written down on the thread that makes them.
  /// - Throws: The errors of `observe(_:options:changeHandler:)` with a string. Nothing is observed
  ///   then.
  ///
  /// - Complexity: that of registering.
  public func observe<Object: KeyValueObservable>(
    _ keyPath: String, of object: Object,
    options: KeyValueObservation.Options = [.new, .old], as name: String = "",
    isolation: isolated (any Actor)? = #isolation
  ) throws(KeyValueCodingError) {
    tokens.append(
      try object.observe(keyPath, options: options, isolation: isolation) { [history] _, change in
        history.append(KeyValueChangeRecord(name, change))
      })
  }

  /// Writes a change down under a name, for a surface that the recorder does not know.
  ///
  /// - Parameters:
  ///   - change: The change to record.
  ///   - name: The name of the observation in the record.
  ///
  /// - Complexity: O(1).
  public func record<Value>(_ change: KeyValueChange<Value>, as name: String = "") {
    history.append(KeyValueChangeRecord(name, change))
  }

  /// Returns the history, and begins a new one.
  ///
  /// - Complexity: O(1).
  public func take() -> [KeyValueChangeRecord] { history.take() }

  /// Ends the observations.
  ///
  /// The history stays.
  ///
  /// - Complexity: O(*n*) for *n* observations.
  public func invalidate() {
    for token in tokens { token.invalidate() }
    tokens = []
  }

  /// Ends the observations, as ``invalidate()`` does.
  @available(*, deprecated, renamed: "invalidate()")
  public func end() { invalidate() }

  /// Fails the running test unless the history is the one expected, and begins a new one.
  ///
  /// The failure shows both histories, a change a line, with a minus in front of what is missing and
  /// a plus in front of what was not expected. It works under Swift Testing and under XCTest.
  ///
  /// - Parameters:
  ///   - expected: The changes to expect, in their order.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of the file of the call.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///
  /// - Complexity: O(*n* · *d*) for *n* changes of which *d* differ.
  public func expect(
    _ expected: [KeyValueChangeRecord], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let comparison = HistoryComparison(expected: expected, found: take())
    guard let failure = comparison.failure(of: "Recorder") else { return }
    CallSite(fileID: fileID, filePath: filePath, line: line, column: column).fail(failure)
  }
}

/// A history that any thread appends to.
///
/// The closures of the observations keep it, and not the recorder, which keeps their tokens.
private final class History: @unchecked Sendable {  // `records` is guarded by `lock`
  private let lock = Lock()
  private var records: [KeyValueChangeRecord] = []

  var changes: [KeyValueChangeRecord] { lock.withLock { records } }

  func append(_ record: KeyValueChangeRecord) { lock.withLock { records.append(record) } }

  func take() -> [KeyValueChangeRecord] {
    lock.withLock {
      defer { records = [] }
      return records
    }
  }
}
