public import CKeyValueObserving

// Functions whose registrar is a parameter, because the register of `self` would have to be saved by setters that
// find no observers (row: set, unobserved).
//
// Those that the macro uses are specialized here for the types that most properties have, in place of in each
// module (row: build).
extension KeyValueRegistrar {
  // Out of line, so that the setter, which mostly finds no observers, stays small. The function
  // does not know the class, so that one copy serves all properties of a type (row: build).
  /// Sets a property whose old and new values are read.
  ///
  /// - `setInTransaction`: Sets it from the beginning, in the transaction that a change of a bound key begins.
  @inlinable
  @inline(never)
  static func setValue<Value>(
    _ name: KeyName, in registrar: borrowing KeyValueRegistrar, of subject: AnyObject,
    to newValue: Value,
    read: (AnyObject) -> Value, write: (AnyObject, Value) -> Void,
    inTransaction setInTransaction: () -> Void
  ) {
    Delivery.withMemory { delivery in
      guard registrar.beginAndCapture(delivery, of: subject, name) else {
        write(subject, newValue)
        return registrar.catchUp(name)
      }
      if delivery.requires(.prior), delivery.beginTransactionIfBound() != nil {
        setInTransaction()
        return Transaction.end(rollingBack: false)
      }
      let old = delivery.oldValueAfterPriors { read(subject) }
      delivery.runBody { write(subject, newValue) }
      delivery.complete(old, delivery.value(for: .new) { read(subject) })
    }
  }

  @inlinable
  @inline(never)
  @_specialize(exported:true,where Value == Bool)
  @_specialize(exported:true,where Value == Int)
  @_specialize(exported:true,where Value == Double)
  @_specialize(exported:true,where Value == String)
  @_specialize(exported:true,where Value == String?)
  static func setReadingBack<Value>(
    _ name: KeyName, in registrar: borrowing KeyValueRegistrar, of subject: AnyObject,
    to newValue: Value,
    read: (AnyObject) -> Value, exchange: @escaping (AnyObject, Value) -> Value
  ) {
    if kvo_has_transactions(), let transaction = Transaction.unmanagedCurrent,
      setInTransaction(
        name, in: registrar, of: subject, to: newValue, transaction, isExchange: false, read: read,
        store: exchange)
    {
      return
    }
    setValue(
      name, in: registrar, of: subject, to: newValue, read: read,
      write: { _ = exchange($0, $1) }
    ) {
      setReadingBack(
        name, in: registrar, of: subject, to: newValue, read: read, exchange: exchange)
    }
  }

  // The old value is what the exchange returns, and the new one is the one that was stored, so one
  // access to the property is enough: each checks exclusivity at run time, where it is no scalar
  // (row: set String).
  @inlinable
  @inline(never)
  @_specialize(exported:true,where Value == Bool)
  @_specialize(exported:true,where Value == Int)
  @_specialize(exported:true,where Value == Double)
  @_specialize(exported:true,where Value == String)
  @_specialize(exported:true,where Value == String?)
  static func exchangeValue<Value>(
    _ name: KeyName, in registrar: borrowing KeyValueRegistrar, of subject: AnyObject,
    for newValue: consuming Value,
    read: (AnyObject) -> Value, exchange: @escaping (AnyObject, Value) -> Value
  ) {
    // Out of line: more code here slows down each set (row: set, 1 observer).
    if kvo_has_transactions() {
      return exchangeWhileTransactionsAreOpen(
        name, in: registrar, of: subject, for: consume newValue, read: read, exchange: exchange)
    }
    exchangeOutsideTransactions(
      name, in: registrar, of: subject, for: consume newValue, read: read, exchange: exchange)
  }

  @inlinable
  @inline(never)
  static func exchangeWhileTransactionsAreOpen<Value>(
    _ name: KeyName, in registrar: borrowing KeyValueRegistrar, of subject: AnyObject,
    for newValue: consuming Value,
    read: (AnyObject) -> Value, exchange: @escaping (AnyObject, Value) -> Value
  ) {
    if let transaction = Transaction.unmanagedCurrent,
      setInTransaction(
        name, in: registrar, of: subject, to: newValue, transaction, isExchange: true, read: read,
        store: exchange)
    {
      return
    }
    exchangeOutsideTransactions(
      name, in: registrar, of: subject, for: consume newValue, read: read, exchange: exchange)
  }

  @inlinable
  @inline(__always)
  static func exchangeOutsideTransactions<Value>(
    _ name: KeyName, in registrar: borrowing KeyValueRegistrar, of subject: AnyObject,
    for newValue: consuming Value,
    read: (AnyObject) -> Value, exchange: @escaping (AnyObject, Value) -> Value
  ) {
    // The setter owns the value, and the change is its last use. A closure cannot consume what it captures.
    var value = Optional(consume newValue)
    Delivery.withMemory { delivery in
      let newValue = value.take().unsafelyUnwrapped
      guard registrar.beginAndCapture(delivery, of: subject, name) else {
        _ = exchange(subject, newValue)
        return registrar.catchUp(name)
      }
      if _slowPath(delivery.requires(.prior)),
        exchangeOrSendPriors(
          delivery, name, in: registrar, of: subject, for: newValue, read: read, exchange: exchange)
      {
        return
      }
      // Known to the compiler, which leaves one of the two out.
      if _isPOD(Value.self), MemoryLayout<Value>.size > 2 * MemoryLayout<UInt>.size {
        // Values that are put together elsewhere are copied in parts that overlap, for which a processor waits (row:
        // set struct).
        _withUnprotectedUnsafeTemporaryAllocation(of: KeyValueChange<Value>.self, capacity: 1) {
          let change = $0.baseAddress.unsafelyUnwrapped
          change.initialize(to: KeyValueChange(settingTo: nil, from: nil))
          let former = exchange(subject, newValue)
          if delivery.requires(.old) { change.pointee.storedOldValue = former }
          if delivery.requires(.new) { change.pointee.storedNewValue = newValue }
          delivery.complete(plain: change)
        }
        return
      }
      let former = exchange(subject, newValue)
      if delivery.requires(.old) {
        let old = Optional(consume former)
        delivery.complete(old, delivery.requires(.new) ? consume newValue : nil)
      } else {
        delivery.complete(keeping: consume former, newValue)
      }
    }
  }

  // Out of line, since a set prepares for whatever it may call (row: set, 1 observer).
  /// Sets a property in a transaction, if a binding observes it, or calls the observers of prior notifications.
  ///
  /// Returns whether the property was set.
  @inlinable
  @inline(never)
  static func exchangeOrSendPriors<Value>(
    _ delivery: UnsafeMutablePointer<Delivery>, _ name: KeyName,
    in registrar: borrowing KeyValueRegistrar, of subject: AnyObject, for newValue: Value,
    read: (AnyObject) -> Value, exchange: @escaping (AnyObject, Value) -> Value
  ) -> Bool {
    if delivery.beginTransactionIfBound() != nil {
      exchangeWhileTransactionsAreOpen(
        name, in: registrar, of: subject, for: newValue, read: read, exchange: exchange)
      Transaction.end(rollingBack: false)
      return true
    }
    _ = delivery.sendPriors { read(subject) }
    return false
  }

  /// Reattaches the derived values that are attached to a key; if it does not notify automatically, paths only (P20).
  @usableFromInline
  @inline(never)
  static func catchUpObserved(_ name: KeyName, in context: Unmanaged<ObservationContext>) {
    context._withUnsafeGuaranteedRef { context in
      guard let observedKey = context.keyWithObservers(named: name)?.takeUnretainedValue(),
        // The function that opened the mutation block does it at its end.
        !observedKey.isInMutationBlock
      else { return }
      observedKey.catchUp(pathsOnly: observedKey.isManual)
    }
  }
}
