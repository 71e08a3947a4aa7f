/// The objects and changes that a delivery keeps until it is over: in the layer that delivers, the changes that
/// wait for it (`WaitingChanges`).
@usableFromInline
class DeliveryBacklog {
  /// The starts of paths that lead to the observed key, kept since prior notifications of the change that
  /// is being delivered (P14).
  final var roots: [AnyObject] = []
}
