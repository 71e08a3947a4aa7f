internal import CKeyValueObserving

/// The transaction from which an observer that is being called receives its change.
package enum DeliveringTransaction {
  /// Returns a number that the changes of one transaction have in common.
  ///
  /// - Parameter isPrior: Whether the observer receives a prior notification.
  /// - Returns: The number; nil outside of transactions.
  package static func number(isPrior: Bool) -> UInt64? {
    // Inside a transaction observers are called for prior notifications, and `initial`, which is not its own.
    if let current = Transaction.current { return isPrior ? current.number : nil }
    guard !isPrior, let delivery = ThreadState.current.delivery, delivery.isOfTransaction else {
      return nil
    }
    return delivery.pointee.number
  }
}
