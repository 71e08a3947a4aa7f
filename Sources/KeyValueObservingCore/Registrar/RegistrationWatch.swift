internal import CKeyValueObserving

/// Is notified of every observation that is registered while a closure runs, with whichever API.
///
/// Tests use it to find observations that were not ended, and the source locations of those that
/// cause diagnostics. Only registrations in the closure's task and in tasks that inherit from it
/// count, since tests run in parallel. Without a watch, a registration costs one relaxed load.
package struct RegistrationWatch: Sendable {
  package typealias Locator = @Sendable (UnsafeRawPointer?) -> KeyValueDiagnostic.SourceLocation?

  @TaskLocal private static var current: RegistrationWatch?

  private let registered: @Sendable (KeyValueObservation, KeyValueRegistration) -> Void
  private let locate: Locator

  /// Creates a watch, whose closures are called with no lock held.
  ///
  /// - Parameters:
  ///   - locate: Returns where an observer was registered (``KeyValueObservation/isToken(of:)``),
  ///     and for nil where the caller is registering one.
  ///   - registered: Is called on the thread that registers, before an initial notification.
  package init(
    locate: @escaping Locator = { _ in nil },
    registered: @escaping @Sendable (KeyValueObservation, KeyValueRegistration) -> Void
  ) {
    self.locate = locate
    self.registered = registered
  }

  package func watch<Result>(_ body: () throws -> Result) rethrows -> Result {
    kvo_registration_watch_began()
    defer { kvo_registration_watch_ended() }
    return try Self.$current.withValue(inside(Self.current), operation: body)
  }

  package func watch<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    kvo_registration_watch_began()
    defer { kvo_registration_watch_ended() }
    return try await Self.$current.withValue(inside(Self.current), operation: body)
  }

  /// A watch that notifies the one around it as well.
  private func inside(_ outer: RegistrationWatch?) -> Self {
    guard let outer else { return self }
    return Self(
      locate: { locate($0) ?? outer.locate($0) },
      registered: {
        registered($0, $1)
        outer.registered($0, $1)
      })
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
    current?.registered(token, registration)
  }

  /// The place where an observer was registered, if a watch knows it; for nil, where the caller is
  /// registering one.
  static func location(of observer: ObserverIdentity?) -> KeyValueDiagnostic.SourceLocation? {
    kvo_is_watching_registrations() ? current?.locate(observer) : nil
  }
}

/// The object and the key path of an observation.
package struct KeyValueRegistration: Sendable {
  package let subject: Any.Type
  package let keyPath: String
}

extension KeyValueDiagnostic {
  /// Adds the source location at which one of several observers was registered, if it is known.
  ///
  /// - Parameter observers: The observers that caused the diagnostic; nil for the one that is being
  ///   registered.
  ///
  /// - Returns: The diagnostic with the location.
  func caused(by observers: [ObserverIdentity?]) -> Self {
    var diagnostic = self
    diagnostic.registrationLocation =
      observers.lazy
      .compactMap { RegistrationWatch.location(of: $0) }.first
    return diagnostic
  }
}
