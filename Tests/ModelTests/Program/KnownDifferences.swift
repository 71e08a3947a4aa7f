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
  /// A block of a computed key with a weak dependency leaves the old value of a deallocation behind.
  static let mutatesWeakDependents = false
  /// The old values of a change that a callback makes, while a block is open, do not chain, and that of
  /// a deallocation is absent if the last change was made in an initial notification.
  static let comparesAllOldValues = false
}
