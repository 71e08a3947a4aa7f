internal import CKeyValueObserving

/// Delivers descriptions of recoverable programming errors to a handler.
///
/// Set ``handler`` for the whole process where the program begins, or surround a part of it with
/// ``withHandler(_:operation:)``, as a test does. By default, diagnostics are written to standard
/// error in debug builds and are discarded in release builds.
public enum KeyValueDiagnostics {
  /// A closure that receives diagnostics.
  public typealias Handler = @Sendable (KeyValueDiagnostic) -> Void

  private static let lock = Lock()
  nonisolated(unsafe) private static var installed: Handler? = defaultHandler

  /// The handler of one task, which may be nil.
  private struct TaskHandler: Sendable {
    let handler: Handler?
  }

  @TaskLocal private static var taskHandler: TaskHandler?

  /// The handler of the process, which is called for each diagnostic; nil discards them.
  ///
  /// The handler is called on the thread on which the error is found, before the call that caused
  /// it returns, and with no lock held. It is not called in a task that has a handler of its own
  /// (``withHandler(_:operation:)``). The default handler writes to standard error where the
  /// library is compiled for debugging, which SwiftPM does whenever it does so with the program; it
  /// is nil in release builds.
  ///
  /// It may be set on any thread, also inside a handler; a call that has begun finishes. A handler
  /// may read, set and observe properties: a computed property does not depend on what it reads.
  /// Errors that it causes itself, on its thread, are not reported. An observation reports the same
  /// error once.
  public static var handler: Handler? {
    get { lock.withLock { installed } }
    set {
      // The former handler is released outside the lock.
      let former = lock.withLock {
        let former = installed
        installed = newValue
        return former
      }
      extendLifetime(former)
    }
  }

  /// Calls a closure, during which a handler of its own receives the diagnostics of the current
  /// task.
  ///
  /// ```swift
  /// KeyValueDiagnostics.withHandler { Issue.record("\($0)") } operation: {
  ///   article.title = "Hello"
  /// }
  /// ```
  ///
  /// The handler takes the place of the process's ``handler`` and of one that surrounds it. It
  /// belongs to the task, so that tests which run in parallel do not disturb each other. The
  /// task that *causes* the diagnostic decides, by registering, assigning or calling, and not the
  /// one that registered the observation:
  ///
  /// - Child tasks and `Task { }` inherit the handler.
  /// - An actor receives changes of other threads and actors together (P40): in a job that inherits the
  ///   handler of the task which made the first of them, or in the task that next changes something
  ///   on the actor, with the handler of that.
  /// - Detached tasks, dispatch queues and other threads do not inherit it. Their diagnostics are
  ///   delivered to the handler of the process.
  /// - Outside of a task, the handler is in effect on the calling thread.
  ///
  /// The handler is retained until `operation` returns and all tasks that inherited it have ended.
  ///
  /// - Parameters:
  ///   - handler: Receives the diagnostics, as ``handler`` does. Nil discards them.
  ///   - operation: The closure to call.
  ///
  /// - Returns: The result of `operation`.
  ///
  /// - Throws: The error that `operation` throws.
  ///
  /// - Complexity: O(1).
  public static func withHandler<Result>(
    _ handler: Handler?, operation: () throws -> Result
  ) rethrows -> Result {
    try $taskHandler.withValue(TaskHandler(handler: handler), operation: operation)
  }

  /// Calls an asynchronous closure, during which a handler of its own receives the diagnostics of
  /// the current task; see ``withHandler(_:operation:)``.
  ///
  /// - Parameters:
  ///   - handler: Receives the diagnostics, as ``handler`` does. Nil discards them.
  ///   - isolation: The actor on which `operation` runs: the caller's, if there is one.
  ///   - operation: The closure to call.
  ///
  /// - Returns: The result of `operation`.
  ///
  /// - Throws: The error that `operation` throws.
  ///
  /// - Complexity: O(1).
  public static func withHandler<Result>(
    _ handler: Handler?, isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    try await $taskHandler.withValue(TaskHandler(handler: handler), operation: operation)
  }

  /// Delivers a diagnostic to the handler of the task, or else to that of the process.
  // Out of line, as is what makes the text: a program without errors pays nothing.
  @inline(never)
  package static func report(_ diagnostic: @autoclosure () -> KeyValueDiagnostic) {
    guard let handler = currentHandler, isEnabled else { return }
    let thread = ThreadState.current
    thread.pointee.is_reporting = true
    defer { thread.pointee.is_reporting = false }
    // The text may describe a value, which reads its properties.
    ThreadState.pauseRecording { handler(diagnostic()) }
  }

  /// Whether a diagnostic that is reported now, on this thread, reaches a handler.
  static var isEnabled: Bool {
    currentHandler != nil && !ThreadState.current.pointee.is_reporting
  }

  private static var currentHandler: Handler? {
    if let taskHandler { taskHandler.handler } else { handler }
  }

  private static var defaultHandler: Handler? {
    #if DEBUG
      return { diagnostic in
        kvo_write_error("KeyValueObserving: \(diagnostic)\n")
      }
    #else
      return nil
    #endif
  }
}
