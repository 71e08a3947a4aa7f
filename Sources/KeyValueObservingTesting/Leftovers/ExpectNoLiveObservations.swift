/// Fails the running test if an observation that a block registers is still live at its end.
///
/// Each leftover is reported with the class, the key path, and the place where it was registered, as
/// `Module/File.swift:12`. Every surface counts: closures, observers, classic observers, async
/// sequences. What ended, lost its token or lost its object is no leftover. Observations that were
/// there before do not count, nor do those that other tests register meanwhile: the block's task
/// counts, with the tasks that inherit from it, but not detached tasks and other threads. It works
/// under Swift Testing and under XCTest.
///
/// The place comes from the stack and the debug information of the program. It is not known on
/// Apple's platforms, nor in a program without debug information; the failure then says so.
///
/// ```swift
/// expectNoLiveObservations {
///   let screen = ArticleScreen(article)
///   screen.close()
/// }
/// ```
///
/// - Parameters:
///   - fileID: Where a failure is shown.
///   - filePath: Where a failure is shown.
///   - line: Where a failure is shown.
///   - column: Where a failure is shown.
///   - body: Registers observations, and should end them. Its result is returned.
/// - Returns: The value that the closure returns.
///
/// - Complexity: O(*n*) for *n* registrations, each of which takes as long as walking the stack.
@discardableResult
public func expectNoLiveObservations<Result>(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, _ body: () throws -> Result
) rethrows -> Result {
  let log = RegistrationLog()
  let result = try log.watch.watch(body)
  if let failure = log.failure {
    CallSite(fileID: fileID, filePath: filePath, line: line, column: column).fail(failure)
  }
  return result
}

/// Fails the running test if an observation that an asynchronous block registers is still live.
///
/// It is the other function of this name for a block that waits. The block runs on the caller's
/// actor.
///
/// - Parameters:
///   - isolation: The actor on which this is called, if there is one.
///   - fileID: Where a failure is shown.
///   - filePath: Where a failure is shown.
///   - line: Where a failure is shown.
///   - column: Where a failure is shown.
///   - body: Registers observations, and should end them. Its result is returned.
/// - Returns: The value that the closure returns.
///
/// - Complexity: O(*n*) for *n* registrations, each of which takes as long as walking the stack.
@discardableResult
public func expectNoLiveObservations<Result>(
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: () async throws -> Result
) async rethrows -> Result {
  let log = RegistrationLog()
  let result = try await log.watch.watch(body)
  if let failure = log.failure {
    CallSite(fileID: fileID, filePath: filePath, line: line, column: column).fail(failure)
  }
  return result
}
