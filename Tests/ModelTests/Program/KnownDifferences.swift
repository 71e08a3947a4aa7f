/// The steps that random programs leave out, or do not compare, until the library keeps its promises
/// there.
///
/// `KnownDifferenceTests` has the smallest program of each.
enum KnownDifferences {
  /// A pair that is completed in a callback, or a block there, is delivered before changes that were made
  /// earlier, since it is ordered by its beginning.
  static let completesPairsInCallbacks = false
  /// A set, inside a callback, of a property that a subclass computes is delivered before changes of its
  /// dependencies that were made earlier.
  static let changesOverridesInCallbacks = false
  /// A block of a computed key with a weak dependency leaves the old value of a deallocation behind.
  static let mutatesWeakDependents = false
  /// The old values of a change that a callback makes, while a block is open, do not chain, and that of
  /// a deallocation is absent if the last change was made in an initial notification.
  static let comparesAllOldValues = false
}
