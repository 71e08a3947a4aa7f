internal import CKeyValueObserving

/// Receives every observation that is registered while a closure runs, with any API.
///
/// It is for tests that look for observations that were not ended. Only registrations in the
/// closure's task and its child tasks count, because tests run in parallel. Without any watch, a
/// registration pays for one relaxed load.
package struct RegistrationWatch: Sendable {
  @TaskLocal private static var current: RegistrationWatch?

  private let heard: @Sendable (KeyValueObservation, KeyValueRegistration) -> Void

  /// `heard` is called on the thread that registers, with no lock held, before an initial change.
  package init(_ heard: @escaping @Sendable (KeyValueObservation, KeyValueRegistration) -> Void) {
    self.heard = heard
  }

  package func watch<Result>(_ body: () throws -> Result) rethrows -> Result {
    kvo_registration_watch_began()
    defer { kvo_registration_watch_ended() }
    return try Self.$current.withValue(self, operation: body)
  }

  package func watch<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    kvo_registration_watch_began()
    defer { kvo_registration_watch_ended() }
    return try await Self.$current.withValue(self, operation: body)
  }

  @inline(__always)
  static func note(
    _ token: KeyValueObservation, _ registration: @autoclosure () -> KeyValueRegistration
  ) {
    if kvo_is_watching_registrations() { noteWatched(token, registration()) }
  }

  @inline(never)
  private static func noteWatched(
    _ token: KeyValueObservation, _ registration: KeyValueRegistration
  ) {
    current?.heard(token, registration)
  }
}

/// The type and the key path of a registration.
package struct KeyValueRegistration: Sendable {
  package let subject: Any.Type
  package let keyPath: String
}
