/// What a key path computes from a collection: `items.@sum.price`.
///
/// The names are Cocoa's. What stands behind an operator is its operand, which is evaluated for each
/// member of the collection that stands before it.
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

  /// Whether it needs to be told what to take of each member.
  ///
  /// An operand of `@count` has no effect.
  var needsOperand: Bool { self != .count }
}
