internal import KeyValueObservingCore

/// Fails the running test unless a closure makes exactly the expected changes of a key path.
///
/// The key path is observed while the closure runs. Changes are compared in the order in which they
/// are delivered, as ``KeyValueChangeRecord`` describes; the failure shows expected and actual
/// changes line by line. It works under Swift Testing and under XCTest.
///
/// ```swift
/// expectChanges(of: \.title, on: article, [.setting(from: "", to: "Hello")]) {
///   article.title = "Hello"
/// }
/// ```
///
/// - Parameters:
///   - keyPath: The key path to observe.
///   - object: The object at which the key path begins.
///   - expected: The changes; an empty array if there must be none.
///   - options: The values that the changes contain.
///   - fileID: The source location at which a failure is shown.
///   - filePath: The source location at which a failure is shown.
///   - line: The source location at which a failure is shown.
///   - column: The source location at which a failure is shown.
///   - body: Makes the changes.
///
/// - Returns: The result of `body`.
///
/// - Throws: The error that `body` throws; the changes are not compared then.
///
/// - Complexity: O(*n* · *d*) for *n* changes of which *d* differ.
@discardableResult
public func expectChanges<Object: KeyValueObservable, Value, Result>(
  of keyPath: KeyPath<Object, Value>, on object: Object, _ expected: [KeyValueChange<Value>],
  options: KeyValueObservation.Options = [.new, .old], fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: () throws -> Result
) rethrows -> Result {
  let recorder = KeyValueChangeRecorder()
  let title = observe(keyPath, of: object, options, by: recorder)
  let result = try body()
  recorder.invalidate()
  compare(
    recorder.changes, with: expected, of: title,
    at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  return result
}

/// Fails the running test unless an asynchronous closure makes exactly the expected changes of a
/// key path.
///
/// Everything else is as with the synchronous function of this name. The closure runs on the
/// caller's actor; changes are recorded on the thread that makes them.
///
/// - Parameters:
///   - keyPath: The key path to observe.
///   - object: The object at which the key path begins.
///   - expected: The changes; an empty array if there must be none.
///   - options: The values that the changes contain.
///   - isolation: The actor on which this is called, if there is one.
///   - fileID: The source location at which a failure is shown.
///   - filePath: The source location at which a failure is shown.
///   - line: The source location at which a failure is shown.
///   - column: The source location at which a failure is shown.
///   - body: Makes the changes.
///
/// - Returns: The result of `body`.
///
/// - Throws: The error that `body` throws; the changes are not compared then.
///
/// - Complexity: O(*n* · *d*) for *n* changes of which *d* differ.
@discardableResult
public func expectChanges<Object: KeyValueObservable, Value, Result>(
  of keyPath: KeyPath<Object, Value>, on object: Object, _ expected: [KeyValueChange<Value>],
  options: KeyValueObservation.Options = [.new, .old],
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: () async throws -> Result
) async rethrows -> Result {
  let recorder = KeyValueChangeRecorder()
  let title = observe(keyPath, of: object, options, by: recorder)
  let result = try await body()
  recorder.invalidate()
  compare(
    recorder.changes, with: expected, of: title,
    at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  return result
}

/// Registers a recorder, and returns the name of the key path for a failure.
private func observe<Object: KeyValueObservable, Value>(
  _ keyPath: KeyPath<Object, Value>, of object: Object, _ options: KeyValueObservation.Options,
  by recorder: KeyValueChangeRecorder
) -> String {
  let title = Title()
  RegistrationWatch(registered: { title.text = $1.text }).watch {
    recorder.observe(keyPath, of: object, options: options, isolation: nil)
  }
  return title.text
}

private final class Title: @unchecked Sendable {  // written before `observe` returns, on its thread
  var text = ""
}

private func compare<Value>(
  _ found: [KeyValueChangeRecord], with expected: [KeyValueChange<Value>], of title: String,
  at site: CallSite
) {
  let comparison = HistoryComparison(
    expected: expected.map { KeyValueChangeRecord("", $0) }, found: found)
  if let failure = comparison.failure(of: title) { site.fail(failure) }
}
