/// The steps that random programs leave out, or do not compare, until the library keeps its promises
/// there.
///
/// `KnownDifferenceTests` has the smallest program of each.
enum KnownDifferences {
  /// A set, inside a callback, of a property that a subclass computes is delivered after changes of its
  /// dependencies that were made earlier, and so are its dependents, which the model notifies before.
  static let changesOverridesInCallbacks = false
}
