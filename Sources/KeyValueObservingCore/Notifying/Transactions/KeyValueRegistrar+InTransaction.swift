// For classes of other modules one change of which sets several properties, in a transaction of their own: a set
// inside another one would not be put back (P50).
extension KeyValueRegistrar {
  /// Prepares the observers of a property that is about to change in the transaction of this thread, and that
  /// follows from others, which the transaction puts back.
  package func willChangeInTransaction<Value>(
    _ key: StaticString, of subject: AnyObject, read: () -> Value
  ) {
    guard let transaction = Transaction.current(of: subject) else { return }
    transaction.willChange(KeyName(key), in: unmanagedContext, of: subject) { ValueBox(read()) }
  }
}
