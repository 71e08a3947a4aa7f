extension KeyValueObservable {
  /// Makes everything that a closure does to a property one change, and notifies its observers
  /// once.
  ///
  /// Setters of the property, mutations through its proxies, and `willChangeValue(for:)` pairs
  /// inside are parts of that change, on this thread; inside another mutation block of the
  /// property, all of it is a part of the outer change. The old value is the one before `body`, the
  /// new value the one after it. Observers are notified synchronously before this function returns,
  /// also if `body` throws, and also if ``automaticallyNotifiesObservers(forKey:)`` is false for
  /// the key (P19, P20). The property may be a computed one. For a key path that is not one of the
  /// object's own properties, `body` runs, no observer is notified, and a diagnostic is reported.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the property.
  ///   - body: Changes the property. Its error is rethrown.
  /// - Returns: The value that `body` returns.
  /// - Throws: Any error that the closure throws.
  ///
  /// - Complexity: O(*n*) in the number of observers of the property.
  @discardableResult
  public func withMutation<Value, Result>(
    of keyPath: KeyPath<Self, Value>, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let property = manuallyChangedProperty(at: keyPath) else {
      reportUnknown(keyPath)
      return try body()
    }
    return try withMutation(of: property, body)
  }

  /// Begins a manual change notification, which `didChangeValue(for:)` completes.
  ///
  /// Prior notifications are sent now, and the old value is captured. Calls are matched by key, not
  /// by position. Each matching pair is one change, nested in another or not, and a setter in
  /// between sends a notification of its own (P19). Observers that are added before the pair is
  /// completed are not notified of it. An unmatched call does not affect later notifications.
  ///
  /// Prefer ``withMutation(of:_:)``, which cannot be left incomplete.
  ///
  /// - Parameter keyPath: One of the object's own properties. For any other key path, no observer
  ///   is notified and a diagnostic is reported.
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    guard let property = manuallyChangedProperty(at: keyPath) else { return reportUnknown(keyPath) }
    beginPair(of: property)
  }

  /// Completes the manual change notification that `willChangeValue(for:)` began.
  ///
  /// Observers are notified synchronously, on this thread. An unmatched call is ignored.
  ///
  /// - Parameter keyPath: The key path of the property that has changed.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    guard let property = manuallyChangedProperty(at: keyPath) else { return reportUnknown(keyPath) }
    endPair(of: property)
  }

  /// The property that is said to change, which then counts as manually notified.
  func manuallyChangedProperty(at keyPath: PartialKeyPath<Self>) -> KeyValueProperty? {
    if let property = ownProperty(at: keyPath) {
      noteManualNotification(of: property)
      return property
    }
    return nil
  }

  /// Reports that a manual notification names no property.
  ///
  /// - Parameters:
  ///   - keyPath: The key path that was passed.
  ///   - function: The public function that was called.
  @inline(never)
  func reportUnknown(_ keyPath: PartialKeyPath<Self>, in function: StaticString = #function) {
    KeyValueDiagnostics.report(
      .unknownProperty(type: type(of: self), keyPath: keyPath, in: function))
  }

  /// The property of the object's class at a key path, which may be that of a superclass whose
  /// property it overrides.
  func ownProperty(at keyPath: PartialKeyPath<Self>) -> KeyValueProperty? {
    PropertyTable.property(at: keyPath, of: type(of: self))
      ?? PropertyTable.property(at: keyPath, of: Self.self)
      .flatMap { keyValueProperty(named: $0.name) }
  }
}

// MARK: By key

extension KeyValueObservable {
  /// Makes everything that a closure does to the property that a key names one change.
  ///
  /// See ``withMutation(of:_:)``.
  ///
  /// The key need not be that of a property if other keys are declared to depend on it (P21): their
  /// observers are notified. For any other key `body` runs, and a diagnostic is reported.
  ///
  /// - Parameters:
  ///   - key: The property, or a key on which others depend.
  ///   - body: Changes it. An error that it throws is rethrown, after the observers were notified.
  /// - Returns: The value that `body` returns.
  /// - Throws: Any error that the closure throws.
  ///
  /// - Complexity: O(*n*) in the number of observers of the property.
  @discardableResult
  public func withMutation<Result>(
    forKey key: String, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let property = manuallyChangedProperty(forKey: key) else {
      reportUnknown(key)
      return try body()
    }
    return try withMutation(of: property, body)
  }

  /// Says that the property that a key names is about to change; see ``willChangeValue(for:)``.
  ///
  /// The key need not be that of a property if other keys are declared to depend on it (P21).
  ///
  /// - Parameter key: The key of a property.
  public func willChangeValue(forKey key: String) {
    guard let property = manuallyChangedProperty(forKey: key) else { return reportUnknown(key) }
    beginPair(of: property)
  }

  /// Says that the property that a key names has changed; see ``didChangeValue(for:)``.
  ///
  /// - Parameter key: The key of a property.
  public func didChangeValue(forKey key: String) {
    guard let property = manuallyChangedProperty(forKey: key) else { return reportUnknown(key) }
    endPair(of: property)
  }

  private func withMutation<Result>(
    of property: KeyValueProperty, _ body: () throws -> Result
  ) rethrows -> Result {
    let change = ChangeDescription(of: property)
    defer { reportUnseenChanges(by: property) }
    return try withChange(of: property, isManualNotification: true, as: { change }, body)
  }

  func manuallyChangedProperty(forKey key: String) -> KeyValueProperty? {
    if let property = keyValueProperty(forKey: key) {
      noteManualNotification(of: property)
      return property
    }
    if isInput(key) { return .entry(key, of: Self.self, get: { _ in nil }, set: nil) }
    return nil
  }

  /// Reports that a manual notification names no key.
  ///
  /// - Parameters:
  ///   - key: The key that was passed.
  ///   - function: The public function that was called.
  @inline(never)
  func reportUnknown(_ key: String, in function: StaticString = #function) {
    KeyValueDiagnostics.report(
      .unknownProperty(
        type: type(of: self), key: key, in: function, because: undefinedKey(key).message))
  }

  /// Whether keys depend by declaration on a key that is no property: keys of the class, or those of
  /// other objects that are observed.
  private func isInput(_ key: String) -> Bool {
    if PropertyTable.of(type(of: self)).isInput(key) { return true }
    guard let context = keyValueRegistrar.unmanagedContext else { return false }
    return key.withKeyName { name in
      context._withUnsafeGuaranteedRef { $0.observedKey(named: name) } != nil
    }
  }
}
