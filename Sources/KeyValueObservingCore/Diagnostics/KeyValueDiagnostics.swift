internal import CKeyValueObserving

/// Something that went wrong and was survived.
public struct KeyValueDiagnostic: Sendable, CustomStringConvertible {
  /// The rule, the place, the value and the remedy, in one or two sentences.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Hears of what goes wrong and is survived, such as a link that cannot be observed.
public enum KeyValueDiagnostics {
  private static let lock = Lock()
  nonisolated(unsafe) private static var installed: (@Sendable (KeyValueDiagnostic) -> Void)? =
    defaultHandler

  /// Called for each diagnostic, on the thread where it arises, with no lock held. It may be set on
  /// any thread.
  ///
  /// The default writes to standard error in debug builds and is nil, silence, in release builds.
  public static var handler: (@Sendable (KeyValueDiagnostic) -> Void)? {
    get { lock.withLock { installed } }
    set {
      // The former handler is released outside the lock.
      let former = lock.withLock {
        let former = installed
        installed = newValue
        return former
      }
      withExtendedLifetime(former) {}
    }
  }

  package static func report(_ diagnostic: @autoclosure () -> KeyValueDiagnostic) {
    if let handler { handler(diagnostic()) }
  }

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
