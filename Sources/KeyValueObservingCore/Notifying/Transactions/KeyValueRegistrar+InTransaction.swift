internal import CKeyValueObserving

// For classes of other modules one change of which sets several properties, each inside the set of the one before,
// so that no observer is called before all have their values. In a transaction they set each on its own: observers
// are called at its end anyway, and a set inside another one would not be put back (P50).
extension KeyValueRegistrar {
  /// Whether a change of an object is a part of a transaction of this thread.
  package static func isInTransaction(_ subject: AnyObject) -> Bool {
    kvo_has_transactions() && Transaction.unmanaged(of: subject) != nil
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
