extension CollectionOperator {
  /// Computes the result from a key of the members of a collection, where these are objects that store
  /// a number for it.
  ///
  /// The result is that of `result(of:in:)`. Returns nil where it has to be computed that way.
  func result(
    ofKey key: String, in value: Any, at keyPath: String
  ) throws(KeyValueCodingError) -> Any?? {
    guard let collection = value as? any MemberCollection else { return nil }
    switch self {
    case .sum, .average:
      guard let (total, count) = collection.withObjects(key: key, { $0.totalAndCount }) else {
        return nil
      }
      return self == .sum ? try sum(total, in: keyPath) : .some(total.average(over: count))
    case .minimum: return collection.withObjects(key: key) { $0.extreme(isMinimum: true) }
    case .maximum: return collection.withObjects(key: key) { $0.extreme(isMinimum: false) }
    case .count, .unionOfObjects, .distinctUnionOfObjects, .unionOfArrays, .distinctUnionOfArrays,
      .distinctUnionOfSets:
      return nil
    }
  }
}

extension MemberObjects {
  /// The sum and the number of values; nil if they are of none of the most frequent types of
  /// numbers.
  fileprivate var totalAndCount: (Total, count: Int)? {
    var total = Total()
    guard
      forEach(Int.self, { total.add($0) }) || forEach(Double.self, { total.add($0) })
        || forEach(Float.self, { total.add(Double($0)) })
    else { return nil }
    return (total, count)
  }

  /// The least or the greatest value, and nil if there is none; nil for other types as well.
  fileprivate func extreme(isMinimum: Bool) -> Any?? {
    extreme(of: Int.self, isMinimum) ?? extreme(of: Double.self, isMinimum)
      ?? extreme(of: Float.self, isMinimum)
  }

  private func extreme<Value: Comparable>(of _: Value.Type, _ isMinimum: Bool) -> Any?? {
    var extreme: Value?
    let isOfType = forEach(Value.self) { value in
      // Not a NaN, which is passed over.
      guard value == value else { return }
      if let former = extreme, isMinimum ? value >= former : value <= former { return }
      extreme = value
    }
    return isOfType ? .some(extreme.map { $0 }) : nil
  }
}
