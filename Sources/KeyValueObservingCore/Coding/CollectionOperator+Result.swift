extension CollectionOperator {
  /// Computes the result from what the operand is for each member, in their order.
  ///
  /// The unions leave out nil. Where values are distinct, the first of equal ones stays.
  func result(of operands: [Any?], in keyPath: String) throws(KeyValueCodingError) -> Any? {
    switch self {
    case .count: operands.count
    case .sum: try sum(of: operands, in: keyPath)
    case .average: try total(of: operands, in: keyPath).average(over: operands.count)
    case .minimum: try extreme(of: operands, in: keyPath) { isLess($0, $1) }
    case .maximum: try extreme(of: operands, in: keyPath) { isLess($1, $0) }
    case .unionOfObjects: Members(operands.filter { $0 != nil }, as: .array)
    case .distinctUnionOfObjects: Members(DistinctValues(operands).values, as: .array)
    case .unionOfArrays: Members(try joined(operands, .array, in: keyPath), as: .array)
    case .distinctUnionOfArrays:
      Members(DistinctValues(try joined(operands, .array, in: keyPath)).values, as: .array)
    case .distinctUnionOfSets: Members(try joined(operands, .set, in: keyPath), as: .set)
    }
  }

  private func sum(of operands: [Any?], in keyPath: String) throws(KeyValueCodingError) -> Any {
    let total = try total(of: operands, in: keyPath)
    guard let sum = total.sum else { throw .inexactSum(total.integers, in: keyPath) }
    return sum
  }

  private func total(of operands: [Any?], in keyPath: String) throws(KeyValueCodingError) -> Total {
    var total = Total()
    for case let operand? in operands {
      guard let number = Number(operand) else {
        throw .invalidOperand(operand, of: self, takes: "numbers", in: keyPath)
      }
      total.add(number)
    }
    return total
  }

  /// The first value that no other comes before.
  private func extreme(
    of operands: [Any?], in keyPath: String, precedes: (Any, Any) -> Bool?
  ) throws(KeyValueCodingError) -> Any? {
    var extreme: Any?
    for case let operand? in operands {
      guard isComparable(operand) else {
        throw .invalidOperand(operand, of: self, takes: "values that compare", in: keyPath)
      }
      // Like `Double.minimum`, so that the result does not depend on where one stands.
      if isNaN(operand) { continue }
      guard let former = extreme else {
        extreme = operand
        continue
      }
      guard let isBetter = precedes(operand, former) else {
        throw .incomparable(operand, former, to: self, in: keyPath)
      }
      if isBetter { extreme = operand }
    }
    return extreme
  }

  /// The members of all the collections that the operand is, without nil.
  private func joined(
    _ operands: [Any?], _ kind: Members.Kind, in keyPath: String
  ) throws(KeyValueCodingError) -> [Any?] {
    var joined: [Any?] = []
    for case let operand? in operands {
      guard let members = Members(operand), members.kind == kind else {
        throw .invalidOperand(
          operand, of: self, takes: kind == .array ? "arrays" : "sets", in: keyPath)
      }
      joined += members.values.filter { $0 != nil }
    }
    return joined
  }
}
