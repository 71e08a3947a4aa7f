/// A token of two values that are kept equal.
///
/// The values are the sides of the binding. When a binding is made, its second side takes the value
/// of the first. From then on a set of one side sets the other by its setter, in one transaction:
/// both are equal before the first observer of either is called (P63, P64). In a transaction that
/// is open already, also the one in which the binding is made, both happen at its end. The binding
/// lasts until the token is invalidated or deinitialized, or one of the objects is deallocated.
///
/// A side is written on the thread that changes the other one. Both objects are changed on one
/// thread or actor.
public final class KeyValueBinding {
  let sides: BoundSides

  init(_ sides: BoundSides) { self.sides = sides }

  deinit { sides.end() }

  /// Whether the binding has not ended: neither by its token, nor with one of its objects.
  public var isActive: Bool { sides.isActive }

  /// Ends the binding.
  ///
  /// Both sides keep their values. The converters are released.
  ///
  /// - Complexity: That of ending two observations.
  public func invalidate() { sides.end() }

  /// Stores the token in a set, which then keeps the binding alive.
  ///
  /// - Parameter set: The set that keeps the token.
  public func store(in set: inout Set<KeyValueObservation>) {
    // The set is used where the binding is.
    nonisolated(unsafe) let binding = self
    set.insert(KeyValueObservation { binding.invalidate() })
  }
}

@available(*, unavailable) extension KeyValueBinding: Sendable {}

extension KeyValueBinding: Hashable {
  /// Returns whether two tokens are the same token.
  public static func == (lhs: KeyValueBinding, rhs: KeyValueBinding) -> Bool { lhs === rhs }

  /// Hashes the identity of the token.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
