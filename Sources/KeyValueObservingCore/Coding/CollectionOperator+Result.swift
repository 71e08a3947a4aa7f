extension CollectionOperator {
  /// Computes the result from the operand's values for all members, in their order.
  ///
  /// The unions omit nil. Of equal values, the first is kept.
  func result(of operands: [Any?], in keyPath: String) throws(KeyValueCodingError) -> Any? {
    switch self {
    case .count: operands.count
    case .sum: try sum(of: operands, in: keyPath)
    case .average: try average(of: operands, in: keyPath)
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
    switch try total(of: operands, in: keyPath) {
    case .standard(let total): return try sum(total, in: keyPath)
    case .other(let sum): return sum
    }
  }

  func sum(_ total: Total, in keyPath: String) throws(KeyValueCodingError) -> Any {
    guard let sum = total.sum else { throw .overflow("\(total.integers)", in: keyPath) }
    return sum
  }

  private func average(
    of operands: [Any?], in keyPath: String
  ) throws(KeyValueCodingError) -> Double? {
    switch try total(of: operands, in: keyPath) {
    case .standard(let total): return total.average(over: operands.count)
    case .other(let sum):
      // Types of numbers have no division in common.
      guard let double = Double(String(describing: sum)) else {
        throw invalidOperand(sum, takes: "numbers", in: keyPath)
      }
      return double / Double(operands.count)
    }
  }

  /// A sum of numbers.
  private enum Sum {
    case standard(Total)
    /// One of them is of a type beside the standard library's, and all become values of that.
    case other(any Numeric)
  }

  private func total(of operands: [Any?], in keyPath: String) throws(KeyValueCodingError) -> Sum {
    var total = Total()
    for case let operand? in operands {
      if let number = Number(operand) {
        total.add(number)
      } else if let number = operand as? any Numeric {
        return .other(try sum(of: operands, like: number, in: keyPath))
      } else {
        throw invalidOperand(operand, takes: "numbers", in: keyPath)
      }
    }
    return .standard(total)
  }

  private func sum<Value: Numeric>(
    of operands: [Any?], like _: Value, in keyPath: String
  ) throws(KeyValueCodingError) -> Value {
    var sum = Value.zero
    for case let operand? in operands {
      guard let number: Value = losslessly(operand) else {
        throw invalidOperand(operand, takes: "numbers of one kind", in: keyPath)
      }
      sum += number
    }
    return sum
  }

  /// The first value that no other comes before.
  private func extreme(
    of operands: [Any?], in keyPath: String, precedes: (Any, Any) -> Bool?
  ) throws(KeyValueCodingError) -> Any? {
    var extreme: Any?
    for case let operand? in operands {
      guard isComparable(operand) else {
        throw invalidOperand(operand, takes: "comparable values", in: keyPath)
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
        throw invalidOperand(
          operand, takes: kind == .array ? "arrays" : "sets", in: keyPath)
      }
      joined += members.values.filter { $0 != nil }
    }
    return joined
  }

  private func invalidOperand(
    _ operand: Any, takes kind: String, in keyPath: String
  ) -> KeyValueCodingError {
    .invalidOperand(Members.toStandardLibrary(operand), of: self, takes: kind, in: keyPath)
  }
}
