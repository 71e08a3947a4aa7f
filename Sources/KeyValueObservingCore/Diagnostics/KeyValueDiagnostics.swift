internal import CKeyValueObserving

/// Hears of what goes wrong and is survived, such as a link that cannot be observed.
public enum KeyValueDiagnostics {
  private static let lock = Lock()
  nonisolated(unsafe) private static var installed: (@Sendable (KeyValueDiagnostic) -> Void)? =
    defaultHandler

  /// Called for each diagnostic, on the thread where it arises, with no lock held.
  ///
  /// Nil is silence.
  ///
  /// The default writes to standard error where the library is compiled for debugging, which SwiftPM
  /// does with it whenever it does so with the program, and is nil in release builds.
  ///
  /// It may be set on any thread, in a handler too; a call that has begun finishes. A handler may read,
  /// set and observe properties: what it reads is no input of what is being computed. What goes wrong
  /// while it runs, on its thread, is not told to it again. An observation that goes on to meet the
  /// same thing says so once.
  public static var handler: (@Sendable (KeyValueDiagnostic) -> Void)? {
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

  // Out of line, like what makes the sentence, so that nobody pays for it who has nothing to say.
  @inline(never)
  package static func report(_ diagnostic: @autoclosure () -> KeyValueDiagnostic) {
    guard let handler, isHeard else { return }
    let thread = ThreadState.current
    thread.pointee.is_reporting = true
    defer { thread.pointee.is_reporting = false }
    // The sentence may describe a value, which reads its properties.
    Recording.pause { handler(diagnostic()) }
  }

  /// Whether somebody hears of what goes wrong now, on this thread.
  static var isHeard: Bool { handler != nil && !ThreadState.current.pointee.is_reporting }

  private static var defaultHandler: (@Sendable (KeyValueDiagnostic) -> Void)? {
    #if DEBUG
      return { diagnostic in
        kvo_write_error("KeyValueObserving: \(diagnostic)\n")
      }
    #else
      return nil
    #endif
  }
}
