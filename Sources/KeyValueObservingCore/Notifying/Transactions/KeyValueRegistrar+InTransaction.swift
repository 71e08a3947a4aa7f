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
