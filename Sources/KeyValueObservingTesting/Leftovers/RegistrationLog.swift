internal import KeyValueObservingCore

/// What was registered in a block, and where.
final class RegistrationLog: @unchecked Sendable {  // `entries` is guarded by `lock`
  private struct Entry {
    weak var token: KeyValueObservation?
    let registration: KeyValueRegistration
    let place: RegistrationPlace
  }

  private let lock = Lock()
  private var entries: [Entry] = []

  /// Notes what is registered while it is used.
  var watch: RegistrationWatch {
    RegistrationWatch { token, registration in
      let entry = Entry(
        token: token, registration: registration, place: RegistrationPlace.capture())
      self.lock.withLock { self.entries.append(entry) }
    }
  }

  /// What to tell of the observations that are still live, nil if none is.
  var failure: String? {
    let live = lock.withLock { entries }.filter { $0.token?.isActive ?? false }
    guard !live.isEmpty else { return nil }
    let lines = live.map { entry in
      let place = entry.place.text ?? "a place that is not known, for want of debug information"
      return "  \(entry.registration.text), registered at \(place)"
    }
    let count = live.count == 1 ? "1 observation is" : "\(live.count) observations are"
    return """
      \(count) still live at the end of the block. End each of them, or let go of its token or \
      observer, before the block ends.
      \(lines.joined(separator: "\n"))
      """
  }
}
