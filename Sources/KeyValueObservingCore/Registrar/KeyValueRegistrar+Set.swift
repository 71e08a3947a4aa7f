internal import CKeyValueObserving
internal import Synchronization

extension KeyValueRegistrar {
  /// Sets a property and tells its observers.
  ///
  /// Call it from a setter, where ``isObserved`` is true. It stores through `write` and then calls
  /// the observers of the property, in the order in which they were attached, synchronously and on
  /// this thread (P8, P10). If it is called from inside a callback for the same property, it
  /// stores at once and the delivery waits until that change has reached everyone (P11).
  ///
  /// - Parameters:
  ///   - key: The name of the property. Another name is another key, whose observers are told.
  ///   - subject: The object with the property.
  ///   - newValue: The value to store.
  ///   - read: Reads the property. It is called only for observers that ask for a value.
  ///   - write: Stores into the property, without telling anybody.
  ///
  /// Complexity: O(*n*) in the number of observers of the property, whatever else is observed.
  @inlinable
  @inline(__always)
  public func set<Subject: KeyValueObservable, Value>(
    _ key: StaticString, of subject: Subject, to newValue: Value,
    read: () -> Value, write: (Value) -> Void
  ) {
    set(key, in: subject, to: newValue, read: { _ in read() }, write: { write($1) })
  }

  /// Sets a property and tells its observers, as `set(_:of:to:read:write:)` does and when and where it
  /// does. Setters that the macro writes call it.
  ///
  /// - Parameters:
  ///   - key: The name of the property.
  ///   - subject: The object with the property and with this registrar; any other would be reported as
  ///     the one that changed.
  ///   - newValue: The value to store.
  ///   - read: Reads the property of the object that it is given, which is `subject`.
  ///   - write: Stores into the property of that object, without telling anybody.
  ///
  /// Complexity: O(*n*) in the number of observers of the property, whatever else is observed.
  // A closure that captures becomes several functions wherever its setter is inlined (row: build).
  @inlinable
  @inline(__always)
  public func set<Value>(
    _ key: StaticString, in subject: AnyObject, to newValue: Value,
    read: (AnyObject) -> Value, write: (AnyObject, Value) -> Void
  ) {
    setValue(KeyName(key), of: subject, to: newValue, read: read, write: write)
  }

  /// Sets a property and tells its observers, as `set(_:in:to:read:write:)` does, where the getter
  /// returns what the setter has stored and nobody else is told: no override, no `didSet`. Setters that
  /// the macro writes call it.
  ///
  /// - Parameters:
  ///   - key: The name of the property.
  ///   - subject: The object with the property and with this registrar; any other would be reported as
  ///     the one that changed.
  ///   - newValue: The value to store.
  ///   - read: Reads the property of the object that it is given, which is `subject`.
  ///   - exchange: Stores into the property of that object, without telling anybody, and returns what
  ///     was there. It is called once, whoever observes.
  ///
  /// Complexity: O(*n*) in the number of observers of the property, whatever else is observed.
  @inlinable
  @inline(__always)
  public func set<Value>(
    _ key: StaticString, in subject: AnyObject, to newValue: Value,
    read: (AnyObject) -> Value, exchange: (AnyObject, Value) -> Value
  ) {
    exchangeValue(KeyName(key), of: subject, for: newValue, read: read, exchange: exchange)
  }

  // Out of line, so that the setter, which mostly finds that nobody observes, stays small. It does
  // not know the class, so that one copy serves all properties of a type (row: build).
  @inlinable
  @inline(never)
  func setValue<Value>(
    _ name: KeyName, of subject: AnyObject, to newValue: Value,
    read: (AnyObject) -> Value, write: (AnyObject, Value) -> Void
  ) {
    withDelivery { delivery in
      guard begin(delivery, of: subject, name) else {
        write(subject, newValue)
        return catchUp(name)
      }
      let old = delivery.prepare { read(subject) }
      write(subject, newValue)
      delivery.complete(old, delivery.value(for: .new) { read(subject) })
    }
  }

  // The old value is what the exchange returns, and the new one is the one that was stored, so one
  // access to the property is enough: each checks exclusivity at run time, where it is no scalar
  // (row: set String).
  @inlinable
  @inline(never)
  func exchangeValue<Value>(
    _ name: KeyName, of subject: AnyObject, for newValue: Value,
    read: (AnyObject) -> Value, exchange: (AnyObject, Value) -> Value
  ) {
    withDelivery { delivery in
      guard begin(delivery, of: subject, name) else {
        _ = exchange(subject, newValue)
        return catchUp(name)
      }
      delivery.tellPriors { read(subject) }
      let former = exchange(subject, newValue)
      let old: Value?
      let new: Value?
      if delivery.demands(.old) {
        old = former
        new = delivery.demands(.new) ? newValue : nil
      } else {
        // Its end may set the property again, so it comes before the new value is read (P11).
        _ = consume former
        old = nil
        new = delivery.value(for: .new) { read(subject) }
      }
      delivery.complete(old, new)
    }
  }

  /// Sets a weak property and tells its observers, who from now on hear of the death of its new
  /// value and no more of that of its former one (P27).
  ///
  /// When and where they are told, and what the parameters are, is as for `set(_:of:to:read:write:)`.
  ///
  /// Complexity: O(*n*) in the number of observers of the property.
  public func setWeak<Subject: KeyValueObservable, Wrapped>(
    _ key: StaticString, of subject: Subject, to newValue: Wrapped?,
    read: () -> Wrapped?, write: (Wrapped?) -> Void
  ) {
    withDelivery { delivery in
      guard begin(delivery, of: subject, KeyName(key)) else {
        write(newValue)
        // Inside a scope nobody is told of the set, but of a death behind it.
        unmanagedContext?._withUnsafeGuaranteedRef { $0.observedSlot(named: KeyName(key)) }?
          ._withUnsafeGuaranteedRef { $0.watch(newValue, heldBy: subject, read: read) }
        return catchUp(KeyName(key))
      }
      let old = delivery.prepare(read)
      write(newValue)
      delivery.pointee.slot._withUnsafeGuaranteedRef {
        $0.watch(newValue, heldBy: subject, read: read)
      }
      delivery.complete(old, delivery.value(for: .new, read))
    }
  }

  /// Sets a property whose key is data, and tells its observers, as `set(_:of:to:read:write:)`
  /// does.
  ///
  /// Such a property is described by ``KeyValueProperty/entry(_:of:get:set:)``, so its values are
  /// `Any?`.
  public func set<Subject: KeyValueObservable>(
    dynamicKey key: String, of subject: Subject, to newValue: Any?,
    read: () -> Any?, write: (Any?) -> Void
  ) {
    withDelivery { delivery in
      guard key.withKeyName({ begin(delivery, of: subject, $0) }) else {
        write(newValue)
        return key.withKeyName { catchUp($0) }
      }
      let old = delivery.prepare(read)
      write(newValue)
      delivery.complete(old, delivery.value(for: .new, read))
    }
  }

  /// Begins a mutation in place, and tells those on this thread who want to know before it.
  ///
  /// Pass what it returns to `didModify(_:of:read:)` exactly once, also when the mutation throws:
  /// until then nobody hears of the change, and what ends in the audience is not released.
  @inlinable
  @inline(__always)
  public func willModify<Subject: KeyValueObservable, Value>(
    _ key: StaticString, of subject: Subject, read: () -> Value
  ) -> KeyValueModification<Value> {
    willModify(key, in: subject, read: { _ in read() })
  }

  /// Begins a mutation in place, as `willModify(_:of:read:)` does, with a closure that is given the
  /// object. Accessors that the macro writes call it.
  ///
  /// `subject` has to be the object with this registrar. Pass what it returns to
  /// `didModify(_:in:read:)` exactly once, also when the mutation throws, with the same object.
  @inlinable
  @inline(__always)
  public func willModify<Value>(
    _ key: StaticString, in subject: AnyObject, read: (AnyObject) -> Value
  ) -> KeyValueModification<Value> {
    beginModification(KeyName(key), of: subject, read: read, again: read)
  }

  // Out of line, and without knowing the class, as `setValue` is.
  //
  // The compiler copies a function for the closure that it is called with, but not if it is called
  // with two. So this one takes its closure twice, and needs it once: a fifth of a class were such
  // copies (row: build).
  @inlinable
  @inline(never)
  func beginModification<Value>(
    _ name: KeyName, of subject: AnyObject, read: (AnyObject) -> Value,
    again _: (AnyObject) -> Value
  ) -> KeyValueModification<Value> {
    withDelivery { delivery in
      guard begin(delivery, of: subject, name) else {
        return KeyValueModification(delivery: nil, old: nil)
      }
      let old = delivery.prepare { read(subject) }
      return KeyValueModification(delivery: delivery.pointee, old: old)
    }
  }

  /// Ends a mutation in place and tells the observers of the property, as a setter does, on this thread.
  ///
  /// Complexity: O(*n*) in the number of observers of the property.
  @inlinable
  @inline(__always)
  public func didModify<Subject: KeyValueObservable, Value>(
    _ modification: borrowing KeyValueModification<Value>, of subject: Subject, read: () -> Value
  ) {
    didModify(modification, in: subject, read: { _ in read() })
  }

  /// Ends a mutation in place that `willModify(_:in:read:)` has begun, and tells the observers of the
  /// property, as a setter does, on this thread.
  @inlinable
  @inline(__always)
  public func didModify<Value>(
    _ modification: borrowing KeyValueModification<Value>, in subject: AnyObject,
    read: (AnyObject) -> Value
  ) {
    modification.end(subject, read: read, again: read)
  }
}

/// A mutation in place that has begun, from `willModify` to `didModify`.
public struct KeyValueModification<Value>: ~Copyable {
  @usableFromInline
  let delivery: Delivery?
  @usableFromInline
  let old: Value?
  /// How many changes the thread had begun when it began.
  @usableFromInline
  let changes: UInt64

  @usableFromInline
  init(delivery: Delivery?, old: Value?) {
    self.delivery = delivery
    self.old = old
    changes = ThreadState.current.pointee.changes
  }

  // It takes its closure twice as `beginModification` does.
  @inlinable
  @inline(never)
  borrowing func end(
    _ subject: AnyObject, read: (AnyObject) -> Value, again _: (AnyObject) -> Value
  ) {
    guard var delivery else { return }
    let old = old
    withUnsafeMutablePointer(to: &delivery) { delivery in
      delivery.dismissDeparted(since: changes)
      delivery.completeModification(old, delivery.value(for: .new) { read(subject) })
    }
  }
}

// MARK: The steps of a change

extension KeyValueRegistrar {
  /// Calls `body` with memory for a delivery, on the stack.
  // Not a variable, which would be initialized twice: for Swift, and for its change. The stack is
  // not checked for what lies behind it: nothing is written there but its fields.
  @inlinable
  @inline(__always)
  func withDelivery<Result: ~Copyable>(
    _ body: (UnsafeMutablePointer<Delivery>) -> Result
  ) -> Result {
    _withUnprotectedUnsafeTemporaryAllocation(of: Delivery.self, capacity: 1) {
      body($0.baseAddress.unsafelyUnwrapped)
    }
  }

  /// Fixes the audience of a change that is about to be made, and makes its delivery. Returns
  /// false, and makes none, if there is nobody.
  @inlinable
  @inline(__always)
  func begin(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject, _ name: KeyName
  ) -> Bool {
    guard let context = unmanagedContext else { return false }
    return context._withUnsafeGuaranteedRef { $0.begin(delivery, of: subject, name) }
  }

  /// Rewires the expressions that were attached to a key while it was set, and nobody observed it
  /// when that began.
  @inlinable
  func catchUp(_ name: KeyName) {
    guard let context = unmanagedContext else { return }
    context._withUnsafeGuaranteedRef { $0.catchUp(name) }
  }
}

extension Context {
  /// Fixes the audience of a change of a key, and makes its delivery. Returns false, and makes none,
  /// if there is nobody.
  // Calls nothing but at its end, so it has no registers to save (row: set, 1 observer).
  @usableFromInline
  func begin(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject, _ name: KeyName
  ) -> Bool {
    guard let slot = identicalSlot(named: name) else {
      return beginElsewhere(delivery, of: subject, name)
    }
    if !slot._withUnsafeGuaranteedRef({ $0.isObserved.load(ordering: .relaxed) }) { return false }
    guard lock.tryLock() else { return beginElsewhere(delivery, of: subject, name) }
    guard slot._withUnsafeGuaranteedRef({ $0.isOpen }) else {
      lock.unlock()
      return beginElsewhere(delivery, of: subject, name)
    }
    pinLocked(slot, delivery, of: subject)
    return delivery.pointee.round.demand.isSimple || delivery.prepareOthers()
  }

  /// The same where another thread has the lock, or something is out of the ordinary.
  @inline(never)
  private func beginElsewhere(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject, _ name: KeyName
  ) -> Bool {
    guard let slot = observedSlot(named: name), begin(delivery, of: subject, at: slot) else {
      return false
    }
    return delivery.prepareOthers()
  }

  /// The same for a slot of this context, but for what `prepareOthers()` does.
  ///
  /// A change by hand is made even if the class switched automatic notification off.
  func begin(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject, at slot: Unmanaged<Slot>,
    isByHand: Bool = false
  ) -> Bool {
    lock.lock()
    let isHeard = slot._withUnsafeGuaranteedRef {
      $0.state.isObserved && (!$0.isManual || isByHand) && ($0.scopeCount == 0 || !$0.isScoped)
    }
    if isHeard { pinLocked(slot, delivery, of: subject) } else { lock.unlock() }
    return isHeard
  }

  /// Makes the delivery of a change, and unlocks.
  @inline(__always)
  private func pinLocked(
    _ slot: Unmanaged<Slot>, _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject
  ) {
    slot._withUnsafeGuaranteedRef { target in
      delivery.initialize(to: Delivery(of: subject, at: slot, target.state.pin()))
      target.state.pinDependents(&delivery.pointee.round)
    }
    lock.unlock()
  }

  /// Rewires the expressions that are attached to a key.
  @usableFromInline
  func catchUp(_ name: KeyName) {
    guard let slot = observedSlot(named: name)?.takeUnretainedValue(), !slot.isManual,
      // Whoever opened the scope does it at its end.
      !slot.isScoped
    else { return }
    catchUp(slot)
  }

  /// Rewires the expressions that are attached to a slot.
  func catchUp(_ slot: Slot) {
    for expression in lock.withLock({ slot.state.latecomers(to: nil) }) ?? [] {
      expression.evaluate()
    }
  }

  @inline(__always)
  fileprivate func observedSlot(named name: KeyName) -> Unmanaged<Slot>? {
    guard let slot = slot(named: name),
      slot._withUnsafeGuaranteedRef({ $0.isObserved.load(ordering: .relaxed) })
    else { return nil }
    return slot
  }
}
