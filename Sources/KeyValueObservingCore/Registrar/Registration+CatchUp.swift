extension [Registration] {
  /// Evaluates derived values that were attached while a key was changed, and reattaches them to their inputs.
  ///
  /// - `notesMissedChange`: Whether the change is over, of which these were not notified.
  func catchUp(notesMissedChange: Bool = true) {
    for registration in self {
      registration.link?.catchUp()
      if notesMissedChange { registration.changeMissed() }
    }
  }
}
