extension KeyValueObservation {
  /// Delivers the initial notification (P3), before the changes that its handler makes (P11).
  @usableFromInline
  func deliverInitial(of subject: AnyObject, _ body: () -> Void) {
    guard let word = UnsafeRawPointer(bitPattern: attachment.load(ordering: .acquiring)) else {
      return body()
    }
    context._withUnsafeGuaranteedRef { context in
      if kind == .closure {
        context.callAlone(
          of: subject, at: .fromOpaque(word), index: { self.index }, to: nil, body)
      } else {
        // The handler may end the observation, whose token keeps it.
        let registration = Unmanaged<Registration>.fromOpaque(word).takeUnretainedValue()
        guard let observedKey = registration.unmanagedKey else { return body() }
        context.callAlone(
          of: subject, at: observedKey, index: { registration.index },
          to: registration as? KeyPathObservation, body)
      }
    }
  }
}
