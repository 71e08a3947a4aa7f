/// The steps that random programs leave out, or do not compare, until the library keeps its promises
/// there.
///
/// `KnownDifferenceTests` has the smallest program of each.
enum KnownDifferences {
  /// A block in a callback, in which another dependency of the same computed key is set, is delivered
  /// before that set.
  ///
  /// A pair that is completed there is delivered in its order, and left out together with the blocks.
  static let completesPairsInCallbacks = false
  /// A set, inside a callback, of a property that a subclass computes is delivered after changes of its
  /// dependencies that were made earlier, and so are its dependents, which the model notifies before.
  static let changesOverridesInCallbacks = false
  /// A set in a callback at the end of a transaction is delivered to an observer of a computed key that was
  /// registered in the transaction before its own change.
  static let actsBeforeLateObservers = false
}
