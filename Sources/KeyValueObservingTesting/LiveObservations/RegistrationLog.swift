internal import KeyValueObservingCore

/// The observations that a block registers, with the places at which it does.
final class RegistrationLog: @unchecked Sendable {  // `entries` is guarded by `lock`
  private struct Entry {
    weak var token: KeyValueObservation?
    let registration: KeyValueRegistration
    let stack: CallStack
  }

  private let lock = Lock()
  private var entries: [Entry] = []

  /// Records what is registered while it is used.
  var watch: RegistrationWatch {
    RegistrationWatch(locate: location) { token, registration in
      let entry = Entry(token: token, registration: registration, stack: CallStack.capture())
      self.lock.withLock { self.entries.append(entry) }
    }
  }

  /// The place where an observer was registered; for nil, where the caller is registering one.
  private func location(of observer: UnsafeRawPointer?) -> KeyValueDiagnostic.SourceLocation? {
    guard let observer else { return CallStack.capture().location }
    return lock.withLock { entries }.first { $0.token?.isToken(of: observer) ?? false }?
      .stack.location
  }

  /// The failure that names the observations which are still live, nil if there are none.
  var failure: String? {
    let live = lock.withLock { entries }.filter { $0.token?.isActive ?? false }
    guard !live.isEmpty else { return nil }
    let lines = live.map { entry in
      let place = entry.stack.location?.description ?? "an unknown line (no debug information)"
      return "  \(entry.registration.text), registered at \(place)"
    }
    let count = live.count == 1 ? "1 observation is" : "\(live.count) observations are"
    return """
      \(count) still live at the end of the block. Invalidate each token, or release it, before \
      the block ends.
      \(lines.joined(separator: "\n"))
      """
  }
}
