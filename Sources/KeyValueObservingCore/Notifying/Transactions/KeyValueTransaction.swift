internal import CKeyValueObserving

/// Whether the changes of a transaction are kept when its body throws an error.
public enum KeyValueTransactionErrorPolicy: Sendable {
  /// The changes are taken back, and no observer is notified of them (P50).
  case rollBack
  /// The changes that were made until then are kept, and observers are notified of them.
  case deliver
}

/// Runs a closure when the transaction that is open on the thread has been delivered, or rolled back; at once if none is.
package func whenTransactionIsDelivered(_ body: @escaping () -> Void) {
  if let transaction = Transaction.current { transaction.whenDelivered(body) } else { body() }
}

/// A number that the changes of a transaction have in common, for the observer that is being called.
///
/// - Parameter isPrior: Whether the observer receives a prior notification.
/// - Returns: The number; nil outside of transactions.
package func numberOfDeliveringTransaction(isPrior: Bool) -> UInt64? {
  // Inside a transaction observers are called for prior notifications, and `initial`, which is not its own.
  if let current = Transaction.current { return isPrior ? current.number : nil }
  guard !isPrior, let delivery = ThreadState.current.delivery, delivery.isOfTransaction else {
    return nil
  }
  return delivery.pointee.number
}

/// Runs a closure, and notifies observers of its changes at the end, or takes them back if it throws.
///
///     try withKeyValueTransaction {
///       checking.balance -= amount
///       savings.balance += amount
///       if checking.balance < 0 { throw Overdrawn() }
///     }
///
/// In the closure, properties are set and read as ever. Observers are called on this thread before the
/// function returns, each once, with the value from before the transaction and the present one: those of the
/// keys in the order of their first changes, then those of computed keys, and of key paths of which an
/// intermediate object was replaced (P44, P46). Only prior notifications are sent while the closure runs, each
/// before the first change of its key (P47).
///
/// If the closure throws, each property of each observable object that it has set gets back its former value,
/// whether or not it is observed (P50). Values that cannot be put back are reported, and their observers are
/// notified (P51). Inside another transaction of the thread, the changes become a part of that one, and
/// observers are notified at its end (P52).
///
/// Bindings write at its end, before observers are called (P64). ``KeyValueHistory/undo()`` throws in it (P62).
///
/// A transaction belongs to the thread. Changes by other threads are delivered as ever, and a
/// rollback restores over them: guard objects that threads share around the whole transaction (P56).
///
/// - Parameters:
///   - policy: Whether the changes are kept if the closure throws.
///   - observations: Observations of any kind that are not notified of the changes made in the closure. One
///     is notified nevertheless if a change that concerns it is made elsewhere in the same outermost
///     transaction (P57).
///   - body: Makes the changes. It cannot suspend.
/// - Returns: The value that the closure returns.
/// - Throws: The error that the closure throws.
///
/// - Complexity: The first change of each property in a transaction keeps its former value, also in each nested
///   one and each mutation block, until the outermost one has ended; an array that is mutated in place is copied once
///   for that. At the end, and for a rollback, O(*n*) in the number of properties that were changed and of their
///   observers. Observers of computed keys that are registered inside are looked through by each further change, and
///   at the end of each further transaction inside.
@discardableResult
public func withKeyValueTransaction<Result, Failure: Error>(
  onError policy: KeyValueTransactionErrorPolicy = .rollBack,
  withoutNotifying observations: [KeyValueObservation] = [],
  _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  Transaction.begin(rollsBack: policy == .rollBack, without: observations)
  let result: Result
  do throws(Failure) {
    result = try body()
  } catch {
    Transaction.end(rollingBack: policy == .rollBack)
    throw error
  }
  Transaction.end(rollingBack: false)
  return result
}
