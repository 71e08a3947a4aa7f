/// A collection that may be a value of a property, and that knows its elements.
protocol EditableValue {
  /// Whether its elements have places.
  static var hasPlaces: Bool { get }
  /// How many elements there are; nil if they have no places.
  var placeCount: Int? { get }
  /// The elements at indexes; nil if they have no places.
  func elements(at indexes: RangeSet<Int>) -> Self?
  /// The members that only another collection has, and those that only this one has, nil where there are
  /// none; nil if the members have places.
  func difference(from other: Any) -> (removed: Self?, added: Self?)?
}

extension Array: EditableValue {
  static var hasPlaces: Bool { true }
  var placeCount: Int? { count }
  func elements(at indexes: RangeSet<Int>) -> [Element]? {
    Array(self[indexes.intersection(RangeSet(self.indices))])
  }
  func difference(from other: Any) -> (removed: [Element]?, added: [Element]?)? { nil }
}

extension Set: EditableValue {
  static var hasPlaces: Bool { false }
  var placeCount: Int? { nil }
  func elements(at indexes: RangeSet<Int>) -> Set? { nil }
  func difference(from other: Any) -> (removed: Set?, added: Set?)? {
    guard let other = other as? Set else { return nil }
    let (removed, added) = (other.subtracting(self), subtracting(other))
    return (removed.isEmpty ? nil : removed, added.isEmpty ? nil : added)
  }
}
