internal import KeyValueObservingCore

/// Records the changes of key paths, so that a test can compare the whole history.
///
/// One recorder may observe several key paths of several objects; its history is in the order in
/// which the changes were delivered, on any thread. Its observations last until ``invalidate()`` or
/// the deinitialization of the recorder. It retains the values in its history, but no object that it
/// observes (P5).
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

  /// The changes since the recorder was created, or since ``take()``.
  ///
  /// - Complexity: O(1).
  public var changes: [KeyValueChangeRecord] { history.changes }

  /// The changes, grouped by the transaction that delivered them, prior notifications included.
  ///
  /// A change outside of transactions is an array of its own. The arrays are in the order of their first changes.
  /// `undo()` and a set of a bound key are transactions, too (P59, P64).
  ///
  /// ```swift
  /// withKeyValueTransaction {
  ///   article.title = "Hello"
  ///   article.count = 1
  /// }
  /// #expect(recorder.changesByTransaction.count == 1)
  /// ```
  ///
  /// A change that a callback makes while a transaction is delivered is not part of it (P48), nor is an `initial`
  /// one (P53), unless a callback of the same key registers it. For observations of an actor it is known only if
  /// the change was made there.
  ///
  /// - Complexity: O(*n*) for *n* changes.
  public var changesByTransaction: [[KeyValueChangeRecord]] { history.changesByTransaction }

  /// Observes the value at a key path, and records each change under a name.
  ///
  /// Changes are received as with `observe(_:options:changeHandler:)`, also on its actor (P40).
  ///
  /// - Parameters:
  ///   - keyPath: The key path to observe.
  ///   - object: The object at which the key path begins.
  ///   - options: The values that the changes contain, and whether there is an initial one.
  ///   - name: The name of the observation in the history.
  ///   - isolation: The actor to which the observation belongs (P40): the caller's, if there is
  ///     one. With nil, changes are recorded on the thread that makes them.
  ///
  /// - Complexity: that of registering.
  public func observe<Object: KeyValueObservable, Value>(
    _ keyPath: KeyPath<Object, Value>, of object: Object,
    options: KeyValueObservation.Options = [.new, .old], as name: String = "",
    isolation: isolated (any Actor)? = #isolation
  ) {
    tokens.append(
      object.observe(keyPath, options: options, isolation: isolation) { [history] _, change in
        history.append(change, as: name)
      })
  }

  /// Observes the value at a string key path, and records each change under a name.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - object: The object at which the key path begins.
  ///   - options: The values that the changes contain, and whether there is an initial one.
  ///   - name: The name of the observation in the history.
  ///   - isolation: The actor to which the observation belongs (P40): the caller's, if there is
  ///     one. With nil, changes are recorded on the thread that makes them.
  ///
  /// - Complexity: that of registering.
  ///
  /// - Throws: The errors of `observe(_:options:changeHandler:)` with a string. Nothing is observed
  ///   then.
  public func observe<Object: KeyValueObservable>(
    _ keyPath: String, of object: Object,
    options: KeyValueObservation.Options = [.new, .old], as name: String = "",
    isolation: isolated (any Actor)? = #isolation
  ) throws(KeyValueCodingError) {
    tokens.append(
      try object.observe(keyPath, options: options, isolation: isolation) { [history] _, change in
        history.append(change, as: name)
      })
  }

  /// Records a change under a name, for an API for observing that the recorder does not know.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - name: The name of the observation in the history.
  ///
  /// - Complexity: O(1).
  public func record<Value>(_ change: KeyValueChange<Value>, as name: String = "") {
    history.append(change, as: name)
  }

  /// Removes the history, so that a new one begins.
  ///
  /// - Returns: The history.
  ///
  /// - Complexity: O(1).
  public func take() -> [KeyValueChangeRecord] { history.take() }

  /// Ends the observations, and keeps the history.
  ///
  /// - Complexity: O(*n*) for *n* observations.
  public func invalidate() {
    for token in tokens { token.invalidate() }
    tokens = []
  }

  /// Ends the observations, as ``invalidate()`` does.
  @available(*, deprecated, renamed: "invalidate()")
  public func end() { invalidate() }

  /// Fails the running test unless the history is the expected one, and begins a new one.
  ///
  /// The failure shows both histories with one change in a line: a minus marks a missing change, a
  /// plus an unexpected one. It works under Swift Testing and under XCTest.
  ///
  /// - Parameters:
  ///   - expected: The changes in their order.
  ///   - fileID: The source location at which a failure is shown.
  ///   - filePath: The source location at which a failure is shown.
  ///   - line: The source location at which a failure is shown.
  ///   - column: The source location at which a failure is shown.
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

/// A history to which any thread may append.
///
/// The handlers of the observations retain it instead of
/// the recorder, which retains their tokens.
private final class History: @unchecked Sendable {  // guarded by `lock`
  private let lock = Lock()
  private var records: [KeyValueChangeRecord] = []
  /// For each record, the number of the transaction that delivered it, if one did.
  private var transactions: [UInt64?] = []

  var changes: [KeyValueChangeRecord] { lock.withLock { records } }

  var changesByTransaction: [[KeyValueChangeRecord]] {
    let (records, transactions) = lock.withLock { (self.records, self.transactions) }
    var groups: [[KeyValueChangeRecord]] = []
    var indexes: [UInt64: Int] = [:]
    for (record, transaction) in zip(records, transactions) {
      if let transaction, let index = indexes[transaction] {
        groups[index].append(record)
      } else {
        if let transaction { indexes[transaction] = groups.count }
        groups.append([record])
      }
    }
    return groups
  }

  func append<Value>(_ change: KeyValueChange<Value>, as name: String) {
    let record = KeyValueChangeRecord(name, change)
    let transaction = numberOfDeliveringTransaction(isPrior: change.isPrior)
    lock.withLock {
      records.append(record)
      transactions.append(transaction)
    }
  }

  func take() -> [KeyValueChangeRecord] {
    lock.withLock {
      defer { (records, transactions) = ([], []) }
      return records
    }
  }
}
