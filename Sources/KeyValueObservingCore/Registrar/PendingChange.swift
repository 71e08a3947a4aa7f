/// A change of an observed key that a transaction delivers at its end: in the layer that delivers it, a
/// `PendingKey`.
@usableFromInline
class PendingChange {
  /// The one of another transaction at the same observed key.
  @exclusivity(unchecked)
  final var next: Unmanaged<PendingChange>?
}
