internal import KeyValueObservingCore

/// Fails the running test unless a block makes exactly the changes of a key path that are expected.
///
/// The key path is observed while the block runs, and no longer. Changes that the block makes are
/// compared in the order in which they are delivered, as ``KeyValueChangeRecord`` says; the failure
/// shows expected and found changes line by line. It works under Swift Testing and under XCTest. A
/// block that throws fails its test itself: nothing is compared.
///
/// ```swift
/// expectChanges(of: \.title, on: article, [.setting(from: "", to: "Hello")]) {
///   article.title = "Hello"
/// }
/// ```
///
/// - Parameters:
///   - keyPath: The key path to observe.
///   - object: The object from which the path starts.
///   - expected: The changes; an empty array if there must be none.
///   - options: What the changes shall hold.
///   - fileID: Where a failure is shown.
///   - filePath: Where a failure is shown.
///   - line: Where a failure is shown.
///   - column: Where a failure is shown.
///   - body: Makes the changes. Its result is returned.
/// - Returns: The value that the closure returns.
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

/// Fails the running test unless an asynchronous block makes exactly the changes expected.
///
/// It is the other function of this name for a block that waits. The block runs on the caller's
/// actor; changes are heard where they are made, on whatever thread.
///
/// - Parameters:
///   - keyPath: The key path to observe.
///   - object: The object from which the path starts.
///   - expected: The changes; an empty array if there must be none.
///   - options: What the changes shall hold.
///   - isolation: The actor on which this is called, if there is one.
///   - fileID: Where a failure is shown.
///   - filePath: Where a failure is shown.
///   - line: Where a failure is shown.
///   - column: Where a failure is shown.
///   - body: Makes the changes. Its result is returned.
/// - Returns: The value that the closure returns.
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

/// Lets a recorder observe, and returns how a failure names what it observes.
private func observe<Object: KeyValueObservable, Value>(
  _ keyPath: KeyPath<Object, Value>, of object: Object, _ options: KeyValueObservation.Options,
  by recorder: KeyValueChangeRecorder
) -> String {
  let title = Title()
  RegistrationWatch { title.text = $1.text }.watch {
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
