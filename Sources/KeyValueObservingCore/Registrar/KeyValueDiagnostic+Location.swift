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
