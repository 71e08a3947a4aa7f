/// The computation of an observed key that depends on others, for all its observers: in the layer of dependencies, a
/// `ComputedKey`.
///
/// A change of an input is one of the key as well, its *output*, with the same number and a delivery of its own.
protocol KeyComputing: Registration {
  /// The registrations at the key.
  var outputRegistrations: [Registration] { get }

  /// The delivery of a change with a number to the observers of the key, if it has begun and is not over.
  func outputDelivery(of number: UInt64) -> UnsafeMutablePointer<Delivery>?

  /// The delivery to the observers of the key of the last change that this thread has made before the one with
  /// a number, and has yet to deliver.
  func outputDeliveryToAwait(before number: UInt64) -> UnsafeMutablePointer<Delivery>?

  /// The value of the key from which the change with a number starts, if its observers request it.
  func outputValue(before number: UInt64) -> AnyValueBox?

  /// The old value of a change of the key itself that is made while an input changes: in a mutation block of an input, or
  /// before the deallocation of one is notified; nil if no input changes, and nil in an optional if the value is unknown.
  func outputValueInsideInput() -> AnyValueBox??

  /// Whether an input is changing on this thread, and no observer has requested the value from before that.
  var isOutputUnknown: Bool { get }

  /// Makes the value after a change of the key itself the old one of the changes of inputs around it, whose mutation
  /// blocks are open, and keeps it for a deallocation that follows.
  ///
  /// - `value`: The new value of the key; nil if it is to be evaluated.
  func passOnOutput(_ value: AnyValueBox?)

  /// Makes a change of the key itself a part of the change with a number.
  ///
  /// - `others`: The observers in whose names the former was made.
  ///
  /// Returns the observers that both pass over.
  func joinOutputChange(
    _ number: UInt64, excluding others: Set<ObserverIdentity>
  ) -> Set<ObserverIdentity>

  /// Lets the change of the key with a number wait for another one, which is about to be delivered, with those of
  /// observers that were registered in the transaction.
  func leaveOutputChange(_ number: UInt64, to delivery: UnsafeMutablePointer<Delivery>)
}
