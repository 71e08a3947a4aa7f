/// An operator that a key path applies to a collection: `items.@sum.price`.
///
/// The names are Cocoa's. The rest of the path after an operator is its operand, which is evaluated
/// for each member of the collection before it.
enum CollectionOperator: String, CaseIterable {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case minimum = "@min"
  case maximum = "@max"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfArrays = "@unionOfArrays"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case distinctUnionOfSets = "@distinctUnionOfSets"

  /// Whether the operator needs an operand.
  ///
  /// An operand of `@count` has no effect.
  var needsOperand: Bool { self != .count }
}
