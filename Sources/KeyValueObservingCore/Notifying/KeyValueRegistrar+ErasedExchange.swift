extension KeyValueRegistrar {
  /// Sets a property of values of any type, whose class stores a value and returns the former one in one
  /// step, and notifies its observers.
  ///
  /// - Parameters:
  ///   - name: The name of the property.
  ///   - subject: The object with the property and with this registrar.
  ///   - newValue: The value to store.
  ///   - read: Reads the property.
  ///   - exchange: Stores a value, without notifying observers, and returns the former one.
  func exchange(
    _ name: KeyName, of subject: AnyObject, for newValue: Any?, read: () -> Any?,
    _ exchange: (Any?) -> Any?
  ) {
    guard isObserved else { return _ = exchange(newValue) }
    Delivery.withMemory { delivery in
      guard beginAndCapture(delivery, of: subject, name) else {
        _ = exchange(newValue)
        return catchUp(name)
      }
      if delivery.requires(.prior) { _ = delivery.prepare(erased: read) }
      let former = exchange(newValue)
      if delivery.requires(.old) {
        delivery.complete(erased: former, newValue)
      } else {
        delivery.complete(erased: nil, delivery.requires(.new) ? newValue : nil)
        // Its end may make other changes, which come later (P11).
        extendLifetime(former)
      }
    }
  }
}

extension Transaction {
  /// The same in a transaction.
  ///
  /// - `record`: Records the value.
  func exchange(
    _ name: KeyName, of subject: some KeyValueObservable, for newValue: Any?, read: () -> Any?,
    _ exchange: (Any?) -> Any?, record: () -> ChangeRecord
  ) {
    let key = willChange(name, in: subject.keyValueRegistrar.unmanagedContext, of: subject) {
      ValueBox(read())
    }
    switch willStore(name, in: subject) {
    case .record:
      add(record())
      extendLifetime(exchange(newValue))
    case .store: extendLifetime(exchange(newValue))
    case .ignore: return
    }
    if key == nil { catchUp(name, in: subject.keyValueRegistrar) }
  }
}
