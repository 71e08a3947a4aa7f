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
    withDelivery { delivery in
      guard begin(delivery, of: subject, name) else {
        _ = exchange(newValue)
        return catchUp(name)
      }
      if delivery.requires(.prior) { _ = delivery.prepare(erased: read) }
      var former = exchange(newValue)
      if delivery.requires(.old) || isPlain(former) {
        delivery.complete(erased: former, newValue)
      } else {
        // Its end may set the property again, so it comes before the new value is read (P11).
        former = nil
        delivery.complete(erased: nil, delivery.requires(.new) ? read() : nil)
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
    willChange(name, in: subject.madeObservationContext, of: subject) { ValueBox(read()) }
    switch decision(of: name, in: subject) {
    case .record:
      add(record())
      extendLifetime(exchange(newValue))
    case .store: extendLifetime(exchange(newValue))
    case .ignore: break
    }
  }
}

/// Whether a value is nil, or of one of the types that most values in documents have, which hold no object
/// or collection.
///
/// Casts would take longer than all the rest of a set, and a copy to ask for its type a part of that (row:
/// dictionary).
@inline(__always)
func isPlain(_ value: borrowing Any?) -> Bool {
  guard let type = withUnsafePointer(to: value, { RuntimeLayout.typeOfValue(in: $0) }) else {
    return true
  }
  return type == Int.self || type == String.self || type == Double.self || type == Bool.self
}
