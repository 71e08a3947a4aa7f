// Setters while a transaction is open on some thread.
extension KeyValueRegistrar {
  /// Sets a property in a transaction.
  ///
  /// - `isExchange`: Whether `store` returns the value that `read` reads before, and runs no code.
  /// - `store`: Stores a value, and returns the stored one that it replaces.
  ///
  /// Returns false, and sets nothing, if the object is being deallocated: that change is none of the transaction (P54).
  @inlinable
  @inline(__always)
  static func setInTransaction<Value>(
    _ name: KeyName, in registrar: borrowing KeyValueRegistrar, of subject: AnyObject,
    to newValue: Value, _ transaction: Unmanaged<Transaction>, isExchange: Bool,
    read: (AnyObject) -> Value, store: @escaping (AnyObject, Value) -> Value
  ) -> Bool {
    let context = registrar.unmanagedContext
    func readBox() -> AnyValueBox? { ValueBox(read(subject)) }
    let set = transaction._withUnsafeGuaranteedRef {
      $0.beginSet(
        name, in: context, of: subject, isExchange: isExchange, old: readBox, again: readBox)
    }
    guard let set else { return false }
    switch set.action {
    case .record:
      let record = StorageRecord(
        of: name, in: subject, store(subject, newValue), exchange: store)
      transaction._withUnsafeGuaranteedRef { $0.add(record) }
      set.end(name, in: registrar) { _ in record.box() }
    case .store:
      let former = store(subject, newValue)
      set.end(name, in: registrar) { ValueBox.keeping(former, in: $0) }
    case .ignore: break
    }
    return true
  }

  /// Sets an unowned property, which is not put back.
  @inlinable
  @inline(never)
  static func setUnownedInTransaction<Value>(
    _ name: KeyName, in registrar: borrowing KeyValueRegistrar, of subject: AnyObject,
    to newValue: Value, read: (AnyObject) -> Value, write: (AnyObject, Value) -> Void
  ) {
    guard let transaction = Transaction.current(of: subject) else {
      return registrar.setValue(name, of: subject, to: newValue, read: read, write: write) {
        setUnownedInTransaction(
          name, in: registrar, of: subject, to: newValue, read: read, write: write)
      }
    }
    let key = transaction.willChange(name, in: registrar.unmanagedContext, of: subject) {
      ValueBox(read(subject))
    }
    transaction.setUnrestorably(name, of: subject, keeping: ValueBox(newValue)) {
      write(subject, newValue)
    }
    if key == nil { transaction.catchUp(name, in: registrar) }
  }

  /// Sets a property of a class that is written by hand, which is put back by its setter.
  @usableFromInline
  static func setInTransaction<Subject: KeyValueObservable, Value>(
    _ name: KeyName, in registrar: borrowing KeyValueRegistrar, of subject: Subject,
    to newValue: Value, read: () -> Value, write: (Value) -> Void
  ) {
    guard let transaction = Transaction.current(of: subject) else {
      return registrar.setValue(
        name, of: subject, to: newValue, read: { _ in read() }, write: { write($1) }
      ) {
        setInTransaction(name, in: registrar, of: subject, to: newValue, read: read, write: write)
      }
    }
    transaction.set(name, of: subject, read: { ValueBox(read()) }, write: { write(newValue) })
  }
}

// For classes of other modules that change several properties together, in a transaction.
extension KeyValueRegistrar {
  /// Whether changes of an object belong to the transaction of this thread: not those that it makes in its `deinit`
  /// (P54).
  package static func isInTransaction(_ subject: AnyObject) -> Bool {
    Transaction.current(of: subject) != nil
  }

  /// Prepares the observers of a property that is about to change in the transaction of this thread, and that
  /// follows from others, which the transaction puts back.
  package func willChangeInTransaction<Value>(
    _ key: StaticString, of subject: AnyObject, read: () -> Value
  ) {
    guard let transaction = Transaction.current(of: subject) else { return }
    transaction.willChange(KeyName(key), in: unmanagedContext, of: subject) { ValueBox(read()) }
  }
}
