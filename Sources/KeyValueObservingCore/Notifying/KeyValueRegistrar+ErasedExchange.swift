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
      if delivery.requires(.old) || isInert(former) {
        delivery.complete(erased: former, newValue)
      } else {
        // Its end may set the property again, so it comes before the new value is read (P11).
        former = nil
        delivery.complete(erased: nil, delivery.requires(.new) ? read() : nil)
      }
    }
  }
}

/// Whether nothing is deinitialized when a value is released, as far as that is seen at a glance.
@inline(__always)
private func isInert(_ value: Any?) -> Bool { value.map { isPlainType(type(of: $0)) } ?? true }

/// Whether a type is one of those that most values in documents have, which hold nothing else.
@inline(__always)
func isPlainType(_ type: Any.Type) -> Bool {
  type == Int.self || type == String.self || type == Double.self || type == Bool.self
}
