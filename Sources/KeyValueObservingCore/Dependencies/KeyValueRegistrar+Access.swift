extension KeyValueRegistrar {
  // Calls other functions only at its end, so it has no registers to save (row: set an input).
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
    if let recorder = ReadRecorder.current, let context = unmanagedContext,
      recorder.recordAgain(KeyName(key), of: context)
    {
      return
    }
    accessElsewhere(key, of: subject)
  }

  /// The same for a read that is not the next one of the evaluation before.
  @inline(never)
  private func accessElsewhere<Subject: KeyValueObservable>(
    _ key: StaticString, of subject: Subject
  ) {
    guard let recorder = ReadRecorder.current else {
      return subject.trackRead(ofComputed: KeyName(key))
    }
    recorder.note(KeyName(key), of: subject)
  }

  /// Records that a property was read whose key is data.
  ///
  /// - Parameters:
  ///   - key: The property's key.
  ///   - subject: The object that has the property.
  public func access<Subject: KeyValueObservable>(dynamicKey key: String, of subject: Subject) {
    guard let recorder = ReadRecorder.current else { return }
    key.withKeyName { _ = recorder.note($0, of: subject) }
  }

  /// Returns the value of an entry, and records that it was read, where reads are being recorded on
  /// this thread.
  ///
  /// Call it in the `get` closure of the entry. While observers of a change that was reported with
  /// ``didChange(_:of:from:to:)`` are prepared for it, it returns the former value of the entry on
  /// this thread: computed properties and key paths capture their former values in this way.
  ///
  /// - Parameters:
  ///   - entry: The entry, as ``KeyValueProperty/entry(_:of:valueType:get:set:)`` has made it.
  ///   - subject: The object with the entry and with this registrar.
  ///   - read: Reads the value as it is.
  /// - Returns: The value that the `get` closure returns.
  ///
  /// - Complexity: O(1) where nothing is recorded on this thread.
  public func value<Subject: KeyValueObservable>(
    of entry: KeyValueProperty, in subject: Subject, read: () -> Any?
  ) -> Any? {
    Self.isTracking ? trackedValue(of: entry, in: subject, read) : read()
  }

  @inline(never)
  private func trackedValue<Subject: KeyValueObservable>(
    of entry: KeyValueProperty, in subject: Subject, _ read: () -> Any?
  ) -> Any? {
    ReadRecorder.current?.noteRead(entry.name, of: subject)
    if let context = unmanagedContext, let former = FormerValue.find(entry.name, of: context) {
      return former
    }
    return read()
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
    guard let recorder = ReadRecorder.current,
      let observedKey = recorder.noteRead(KeyName(key), of: subject),
      let property = subject.keyValueProperty(named: observedKey.name)
    else { return }
    recorder.derived?.noteWeakInput()
    if let report = property.unobservableTarget(of: target, in: subject) {
      recorder.derived?.report(report)
    }
    WeakTargetObservation.watchValue(of: property, in: observedKey, of: subject)
  }
}
