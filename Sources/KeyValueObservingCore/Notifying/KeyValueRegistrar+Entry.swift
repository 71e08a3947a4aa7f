internal import CKeyValueObserving

// Keys that are data, named by their entries. The forms that take a string are for classes with few keys.
extension KeyValueRegistrar {
  /// Sets an entry and notifies its observers, as `set(_:of:to:read:write:)` with a key does.
  ///
  /// Call it in the `set` closure of the entry. If `write` throws, no observer is notified of a
  /// change. Observers of prior notifications have been notified by then, so a value that cannot be
  /// stored is better rejected before this function is called.
  ///
  /// - Parameters:
  ///   - entry: The entry, as ``KeyValueProperty/entry(_:of:valueType:get:set:)`` has made it.
  ///   - subject: The object with the entry and with this registrar.
  ///   - newValue: The value to store.
  ///   - read: Reads the value. It is called only if an observer has requested a value.
  ///   - write: Stores a value, without notifying observers. It throws before it has changed
  ///     anything.
  /// - Throws: The errors of `write`.
  ///
  /// - Complexity: O(*n*) in the number of observers of the entry.
  public func set<Subject: KeyValueObservable>(
    _ entry: KeyValueProperty, of subject: Subject, to newValue: Any?,
    read: () -> Any?, write: (Any?) throws(KeyValueCodingError) -> Void
  ) throws(KeyValueCodingError) {
    guard isObserved else { return try write(newValue) }
    try set(entry.name, of: subject, to: newValue, read: read, write: write)
  }

  /// Sets a property whose key is data, and notifies its observers, as `set(_:of:to:read:write:)` with
  /// an entry does, which takes less time.
  ///
  /// Such a property is described by ``KeyValueProperty/entry(_:of:valueType:get:set:)``, so its values
  /// are `Any?`.
  ///
  /// - Parameters:
  ///   - key: The property's key.
  ///   - subject: The object that has the property.
  ///   - newValue: The value to set.
  ///   - read: Reads the stored value.
  ///   - write: Writes the stored value.
  ///
  /// - Complexity: O(*n*) in the number of observers of the property.
  public func set<Subject: KeyValueObservable>(
    dynamicKey key: String, of subject: Subject, to newValue: Any?,
    read: () -> Any?, write: (Any?) -> Void
  ) {
    key.withKeyName { set($0, of: subject, to: newValue, read: read, write: write) }
  }

  /// Sets a property of values of any type by a setter, which may throw before it has changed anything.
  private func set<Failure>(
    _ name: KeyName, of subject: some KeyValueObservable, to newValue: Any?,
    read: () -> Any?, write: (Any?) throws(Failure) -> Void
  ) throws(Failure) {
    if let transaction = Transaction.current(of: subject) {
      return try transaction.set(name, of: subject, read: { ValueBox(read()) }) {
        () throws(Failure) in try write(newValue)
      }
    }
    let outcome: Result<Void, Failure> = Delivery.withMemory { delivery in
      guard beginAndCapture(delivery, of: subject, name) else {
        let outcome = Result { () throws(Failure) in try write(newValue) }
        catchUp(name)
        return outcome
      }
      if delivery.requires(.prior), delivery.beginTransactionIfBound() != nil {
        defer { Transaction.end(rollingBack: false) }
        return Result { () throws(Failure) in
          try set(name, of: subject, to: newValue, read: read, write: write)
        }
      }
      let old = delivery.oldValueAfterPriors(read) ?? nil
      let outcome = delivery.runBody { Result { () throws(Failure) in try write(newValue) } }
      switch outcome {
      case .success: delivery.complete(erased: old, delivery.requires(.new) ? read() : nil)
      case .failure: delivery.abandon()
      }
      return outcome
    }
    try outcome.get()
  }

  /// Notifies observers that an entry has another value than before, where the object has changed by
  /// itself and reports it afterwards.
  ///
  /// The observers of the entry receive both values. The former value of a computed property or a
  /// key path that the change concerns is computed with the former value of the entry, which
  /// ``value(of:in:read:)`` returns in between. Observers are called on this thread before this
  /// returns, in the order and after the rules of every change, but without prior notifications:
  /// the time before the change has passed. Called from inside a callback for the same entry, it
  /// delivers the change when the one before it has been delivered to all observers (P11).
  ///
  /// Report one change for each change of the object, in their order, and none where the value is the
  /// same. Without observers it does nothing.
  ///
  /// - Parameters:
  ///   - entry: The entry, as ``KeyValueProperty/entry(_:of:valueType:get:set:)`` has made it.
  ///   - subject: The object with the entry and with this registrar.
  ///   - oldValue: The value that was delivered last, or that the entry had when it became
  ///     observed.
  ///   - newValue: The value that it has.
  ///
  /// - Complexity: O(*n*) in the number of observers of the entry.
  public func didChange<Subject: KeyValueObservable>(
    _ entry: KeyValueProperty, of subject: Subject, from oldValue: Any?, to newValue: Any?
  ) {
    if let transaction = Transaction.current(of: subject) {
      return transaction.didChange(entry, of: subject, from: oldValue)
    }
    guard let context = unmanagedContext else { return }
    Delivery.withMemory { delivery in
      let observedKey = context._withUnsafeGuaranteedRef { $0.keyWithObservers(named: entry.name) }
      let isBegun = observedKey?._withUnsafeGuaranteedRef { $0.begin(delivery, of: subject) }
      guard isBegun == true else { return catchUp(entry.name) }
      if !delivery.pointee.snapshot.needs.isSimple {
        FormerValue.with(oldValue, of: entry.name, context) { delivery.capture() }
      }
      delivery.complete(erased: oldValue, newValue)
    }
  }
}
