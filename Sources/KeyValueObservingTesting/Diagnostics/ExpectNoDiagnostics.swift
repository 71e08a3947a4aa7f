internal import KeyValueObservingCore

/// Fails the running test if a diagnostic is reported while a closure runs.
///
/// The failure shows each diagnostic with its identifier, the line that caused it, and the line
/// that registered the observation, as far as the debug information says. In an optimized build,
/// the line that caused a diagnostic may be that of a statement around it. The failure is shown at
/// the line that calls this function, also if the closure throws. It works under Swift Testing and
/// under XCTest.
///
/// ```swift
/// expectNoDiagnostics {
///   badge.appear(for: basket)
///   basket.items.append("bread")
/// }
/// ```
///
/// Tests that run in parallel do not disturb each other: only diagnostics of the current task
/// count, and those of tasks that inherit from it. Diagnostics on dispatch queues, other threads
/// and in detached tasks are delivered to the handler of the process
/// (`KeyValueDiagnostics.withHandler(_:operation:)`).
///
/// - Parameters:
///   - fileID: The source location at which a failure is shown.
///   - filePath: The source location at which a failure is shown.
///   - line: The source location at which a failure is shown.
///   - column: The source location at which a failure is shown.
///   - body: The closure that must not cause a diagnostic.
///
/// - Returns: The result of `body`.
///
/// - Throws: The error that `body` throws.
///
/// - Complexity: O(*n*) for *n* registrations in `body`, each of which takes as long as walking the
/// stack.
@discardableResult
public func expectNoDiagnostics<Result>(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, _ body: () throws -> Result
) rethrows -> Result {
  let (log, registrations) = (DiagnosticLog(), RegistrationLog())
  defer {
    CallSite(fileID: fileID, filePath: filePath, line: line, column: column).fail(log.failure)
  }
  return try KeyValueDiagnostics.withHandler(log.handler) {
    try registrations.watch.watch(body)
  }
}

/// Fails the running test if a diagnostic is reported while an asynchronous closure runs.
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
///   - body: The closure that must not cause a diagnostic.
///
/// - Returns: The result of `body`.
///
/// - Throws: The error that `body` throws.
///
/// - Complexity: O(*n*) for *n* registrations in `body`, each of which takes as long as walking the
/// stack.
@discardableResult
public func expectNoDiagnostics<Result>(
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: () async throws -> Result
) async rethrows -> Result {
  let (log, registrations) = (DiagnosticLog(), RegistrationLog())
  defer {
    CallSite(fileID: fileID, filePath: filePath, line: line, column: column).fail(log.failure)
  }
  return try await KeyValueDiagnostics.withHandler(log.handler) {
    try await registrations.watch.watch(body)
  }
}
