extension KeyValueRegistrar {
  /// Records that a property was read, where reads are being recorded on this thread.
  ///
  /// Call it at the start of a getter, where ``isTracking`` is true. This is how the inputs of a
  /// computed property and the intermediate objects of a key path are found (P7, P21).
  ///
  /// - Parameters:
  ///   - key: The name of the property. With another name, changes of the property are missed.
  ///   - subject: The object with the property.
  ///
  /// - Complexity: O(1) where nothing is recorded on this thread.
  public func access<Subject: KeyValueObservable>(_ key: StaticString, of subject: Subject) {
    guard let recording = Recording.current else {
      return subject.trackRead(ofComputed: KeyName(key))
    }
    if let context = unmanagedContext, recording.noteAgain(KeyName(key), of: context) { return }
    recording.note(KeyName(key), of: subject)
  }

  /// Records that a property was read whose key is data.
  ///
  /// - Parameters:
  ///   - key: The property's key.
  ///   - subject: The object that has the property.
  public func access<Subject: KeyValueObservable>(dynamicKey key: String, of subject: Subject) {
    guard let recording = Recording.current else { return }
    key.withKeyName { _ = recording.note($0, of: subject) }
  }

  /// Records that a weak property was read, which held `target`.
  ///
  /// The deallocation of the target is then a change of the property (P27).
  ///
  /// - Parameters:
  ///   - key: The property's key.
  ///   - subject: The object that has the property.
  ///   - target: The object that the weak property holds.
  public func access<Subject: KeyValueObservable>(
    _ key: StaticString, of subject: Subject, target: AnyObject?
  ) {
    guard let recording = Recording.current else { return }
    if let context = unmanagedContext, recording.noteAgain(KeyName(key), of: context) { return }
    guard let slot = recording.note(KeyName(key), of: subject),
      let property = subject.keyValueProperty(named: slot.name)
    else { return }
    recording.noteWeakInput()
    if let report = property.silentDeaths(of: target, in: subject) { recording.report(report) }
    DeathWatch.watchValue(of: property, in: slot, of: subject)
  }
}
