extension KeyValueRegistrar {
  /// Sets a weak property and notifies its observers.
  ///
  /// From then on, observers are also notified when the new object is deallocated, and no longer
  /// when the former one is (P27). For parameters and timing, see `set(_:of:to:read:write:)`.
  ///
  /// - Parameters:
  ///   - key: The property's key.
  ///   - subject: The object that has the property.
  ///   - newValue: The value to set.
  ///   - read: Reads the stored value.
  ///   - write: Writes the stored value.
  ///
  /// - Complexity: O(*n*) in the number of observers of the property.
  @_alwaysEmitIntoClient
  public func setWeak<Subject: KeyValueObservable, Wrapped>(
    _ key: StaticString, of subject: Subject, to newValue: Wrapped?,
    read: () -> Wrapped?, write: (Wrapped?) -> Void
  ) {
    if Self.isDebugging { checkType(Wrapped?.self, ofValuesOf: key, in: subject) }
    setWeakValue(key, of: subject, to: newValue, read: read, write: write)
  }

  @usableFromInline
  func setWeakValue<Subject: KeyValueObservable, Wrapped>(
    _ key: StaticString, of subject: Subject, to newValue: Wrapped?,
    read: () -> Wrapped?, write: (Wrapped?) -> Void
  ) {
    Self.setInTransaction(KeyName(key), in: self, of: subject, to: newValue, read: read) {
      write($0)
      // A set inside a mutation block notifies no observer, but the deallocation of its value does. And an object may
      // be watched for the module `Observation` alone.
      watch($0, ofKey: KeyName(key), of: subject, read: read)
    }
  }

  /// Makes the deallocation of the new value a change of the property, if the deallocation of the former one
  /// would have been one.
  private func watch<Wrapped>(
    _ newValue: Wrapped?, ofKey name: KeyName, of subject: some KeyValueObservable,
    read: () -> Wrapped?
  ) {
    unmanagedContext?._withUnsafeGuaranteedRef { $0.watchedKey(named: name) }?
      ._withUnsafeGuaranteedRef { $0.watch(newValue, heldBy: subject, read: read) }
  }
}
