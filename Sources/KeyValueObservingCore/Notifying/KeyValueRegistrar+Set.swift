public import CKeyValueObserving

extension KeyValueRegistrar {
  // The function is compiled with the class that calls it, whose build decides whether the type is
  // checked.
  /// Sets a property and notifies its observers.
  ///
  /// Call it from a setter, if ``isObserved`` is true. It stores through `write` and then calls the
  /// observers of the property, in the order in which they were attached, synchronously and on this
  /// thread (P8, P10). If it is called from inside a callback for the same property, it stores
  /// immediately, and the delivery waits until that change has reached all observers (P11).
  ///
  /// - Parameters:
  ///   - key: The name of the property. Another name is another key, whose observers are notified
  ///     instead.
  ///   - subject: The object with the property.
  ///   - newValue: The value to store. Its type has to be the one with which the class lists the
  ///     property, because observers read it as such. If the key belongs to a property of another
  ///     type, a debug build stops the program, and the behavior of a release build is undefined.
  ///   - read: Reads the property. It is called only if an observer has requested a value.
  ///   - write: Stores into the property, without notifying observers.
  ///
  /// - Complexity: O(*n*) in the number of observers of the property, whatever else is observed.
  @_alwaysEmitIntoClient
  @inline(__always)
  public func set<Subject: KeyValueObservable, Value>(
    _ key: StaticString, of subject: Subject, to newValue: Value,
    read: () -> Value, write: (Value) -> Void
  ) {
    if Self.isDebugging { checkType(Value.self, ofValuesOf: key, in: subject) }
    let name = KeyName(key)
    if kvo_has_transactions() {
      return Self.setInTransaction(
        name, in: self, of: subject, to: newValue, read: read, write: write)
    }
    setValue(name, of: subject, to: newValue, read: { _ in read() }, write: { write($1) }) {
      Self.setInTransaction(
        name, in: self, of: subject, to: newValue, read: read, write: write)
    }
  }

  // swift-format-ignore: NoLeadingUnderscores
  /// Sets an unowned property and notifies its observers.
  ///
  /// Setters that the macro writes call it. A former value that was deallocated cannot be read, so none is,
  /// and a transaction does not put it back (P51). Timing and order are those of `set(_:of:to:read:write:)`.
  ///
  /// - Parameters:
  ///   - key: The name of the property.
  ///   - subject: The object with the property and with this registrar.
  ///   - newValue: The value to store, of the type with which the class lists the property.
  ///   - read: Reads the property of the object passed to it, which is `subject`.
  ///   - write: Stores into the property of that object, without notifying observers.
  ///
  /// - Complexity: O(*n*) in the number of observers of the property, whatever else is observed.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  public func _$set<Value>(
    _ key: StaticString, in subject: AnyObject, to newValue: Value,
    read: (AnyObject) -> Value, write: (AnyObject, Value) -> Void
  ) {
    let name = KeyName(key)
    if kvo_has_transactions() {
      return Self.setUnownedInTransaction(
        name, in: self, of: subject, to: newValue, read: read, write: write)
    }
    setValue(name, of: subject, to: newValue, read: read, write: write) {
      Self.setUnownedInTransaction(
        name, in: self, of: subject, to: newValue, read: read, write: write)
    }
  }

  // A closure with captures becomes several functions wherever its setter is inlined (row: build).
  // swift-format-ignore: NoLeadingUnderscores
  /// Sets a property, and notifies its observers of the values that it is read as before and after.
  ///
  /// Setters that the macro writes call it for properties that an override may read as another value than
  /// is stored, or whose `didSet` may store another one. Timing and order are those of
  /// `set(_:of:to:read:write:)`.
  ///
  /// - Parameters:
  ///   - key: The name of the property.
  ///   - subject: The object with the property and with this registrar. Any other object would be
  ///     reported as the one that changed.
  ///   - newValue: The value to store, of the type with which the class lists the property.
  ///   - read: Reads the property of the object passed to it, which is `subject`.
  ///   - exchange: Stores into the property of that object, without notifying observers, and returns the
  ///     stored value that it replaces. A transaction puts that back with it, so it captures nothing.
  ///
  /// - Complexity: O(*n*) in the number of observers of the property, whatever else is observed.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  public func _$setReadingBack<Value>(
    _ key: StaticString, in subject: AnyObject, to newValue: Value,
    read: (AnyObject) -> Value, exchange: @escaping (AnyObject, Value) -> Value
  ) {
    let name = KeyName(key)
    guard mayRequireDelivery(name) else {
      _ = exchange(subject, newValue)
      return catchUp(name)
    }
    Self.setReadingBack(
      name, in: self, of: subject, to: newValue, read: read,
      exchange: exchange)
  }

  // swift-format-ignore: NoLeadingUnderscores
  /// Reattaches derived values that `willSet` or `didSet` of a property has registered, while the property was stored in
  /// an object that had never been observed.
  ///
  /// Accessors that the macro writes call it, after they have stored without asking for observers.
  @_documentation(visibility: internal)
  @inlinable
  @inline(never)
  public func _$observersMayHaveCome(_ key: StaticString) {
    catchUp(KeyName(key))
  }

  @inlinable
  @inline(__always)
  func setValue<Value>(
    _ name: KeyName, of subject: AnyObject, to newValue: Value,
    read: (AnyObject) -> Value, write: (AnyObject, Value) -> Void,
    inTransaction setInTransaction: () -> Void
  ) {
    guard context(observing: name) != nil else {
      write(subject, newValue)
      return catchUp(name)
    }
    Self.setValue(
      name, in: self, of: subject, to: newValue, read: read, write: write,
      inTransaction: setInTransaction)
  }

  // swift-format-ignore: NoLeadingUnderscores
  /// Sets a property whose getter returns the stored value, and notifies its observers.
  ///
  /// Setters that the macro writes call it for properties without an override or `didSet`. Timing
  /// and order are those of `set(_:of:to:read:write:)`.
  ///
  /// - Parameters:
  ///   - key: The name of the property.
  ///   - subject: The object with the property and with this registrar. Any other object would be
  ///     reported as the one that changed.
  ///   - newValue: The value to store, of the type with which the class lists the property.
  ///   - read: Reads the property of the object passed to it, which is `subject`.
  ///   - exchange: Stores into the property of that object, without notifying observers, and
  ///     returns the former value. It is called once, for any number of observers. A transaction puts
  ///     the former value back with it, so it captures nothing.
  ///
  /// - Complexity: O(*n*) in the number of observers of the property, whatever else is observed.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  public func _$set<Value>(
    _ key: StaticString, in subject: AnyObject, to newValue: consuming Value,
    read: (AnyObject) -> Value, exchange: @escaping (AnyObject, Value) -> Value
  ) {
    // One call and nothing more, else setters are not inlined (row: set, unobserved).
    let name = KeyName(key)
    guard mayRequireDelivery(name) else {
      _ = exchange(subject, newValue)
      return catchUp(name)
    }
    Self.exchangeValue(
      name, in: self, of: subject, for: consume newValue, read: read,
      exchange: exchange)
  }
}

// MARK: The steps of a change

extension KeyValueRegistrar {
  /// Takes a snapshot of the observers of a change that is about to be made, creates its delivery and,
  /// unless prior notifications come first, captures what dependents need.
  ///
  /// Returns false, and creates none, if there are no observers.
  @inlinable
  @inline(__always)
  func beginAndCapture(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject, _ name: KeyName
  ) -> Bool {
    guard let context = unmanagedContext else { return false }
    return context._withUnsafeGuaranteedRef { $0.beginAndCapture(delivery, of: subject, name) }
  }

  @inlinable
  @inline(__always)
  func mayRequireDelivery(_ name: KeyName) -> Bool {
    let marks = unmanagedContext.map { $0._withUnsafeGuaranteedRef { $0.mark(of: name) } } ?? 0
    return marks | UInt64(kvo_transaction_count()) != 0
  }

  /// The context of the object, if a key with the name may be observed.
  @inlinable
  @inline(__always)
  func context(observing name: KeyName) -> Unmanaged<ObservationContext>? {
    guard let context = unmanagedContext,
      context._withUnsafeGuaranteedRef({ $0.mayHaveKey(named: name) })
    else { return nil }
    return context
  }

  /// Reattaches derived values that were attached to a key during an assignment that began without
  /// observers.
  ///
  /// An observer that has read the value before the assignment is found: it was attached before it
  /// read, and what makes the property safe to use from several threads orders the read and the
  /// assignment.
  @inlinable
  @inline(__always)
  func catchUp(_ name: KeyName) {
    if let context = context(observing: name) { Self.catchUpObserved(name, in: context) }
  }
}
