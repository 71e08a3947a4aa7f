/// Fails the running test if an observation that a closure registers is still live at its end.
///
/// The failure names the class, the key path and the source location of each registration, as
/// `Module/File.swift:12`. Observations of every API count: closures, observers,
/// `addObserver`-style observers, asynchronous sequences. An observation that was invalidated,
/// whose token was released or whose object was deallocated is not live. Observations from before
/// do not count, nor do those that other tests register meanwhile: only the current task counts,
/// with the tasks that inherit from it, but not detached tasks and other threads. It works under
/// Swift Testing and under XCTest.
///
/// The source location comes from the stack and the debug information of the program. It is not
/// known on Apple's platforms, nor in a program without debug information.
///
/// ```swift
/// expectNoLiveObservations {
///   let screen = ArticleScreen(article)
///   screen.close()
/// }
/// ```
///
/// - Parameters:
///   - fileID: The source location at which a failure is shown.
///   - filePath: The source location at which a failure is shown.
///   - line: The source location at which a failure is shown.
///   - column: The source location at which a failure is shown.
///   - body: Registers observations and ends them.
///
/// - Returns: The result of `body`.
///
/// - Throws: The error that `body` throws; live observations are not reported then.
///
/// - Complexity: O(*n*) for *n* registrations, each of which takes as long as walking the stack.
@discardableResult
public func expectNoLiveObservations<Result>(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, _ body: () throws -> Result
) rethrows -> Result {
  let log = RegistrationLog()
  let result = try log.watch.watch(body)
  CallSite(fileID: fileID, filePath: filePath, line: line, column: column).fail(log.failure)
  return result
}

/// Fails the running test if an observation that an asynchronous closure registers is still live at
/// its end.
///
/// Everything else is as with the synchronous function of this name. The closure runs on the
/// caller's actor.
///
/// - Parameters:
///   - isolation: The actor on which this is called, if there is one.
///   - fileID: The source location at which a failure is shown.
///   - filePath: The source location at which a failure is shown.
///   - line: The source location at which a failure is shown.
///   - column: The source location at which a failure is shown.
///   - body: Registers observations and ends them.
///
/// - Returns: The result of `body`.
///
/// - Throws: The error that `body` throws; live observations are not reported then.
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
  CallSite(fileID: fileID, filePath: filePath, line: line, column: column).fail(log.failure)
  return result
}
