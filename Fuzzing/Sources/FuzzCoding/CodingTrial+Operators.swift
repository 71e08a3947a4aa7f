import FuzzSupport
import KeyValueObserving

extension CodingTrial {
  /// Compares what operators compute of values with what a loop does.
  func operate(on values: [Any?]) {
    let bag = KeyValueDictionary()
    bag["list"] = values
    guard let members = bag["list"] as? [Any?] else {
      return claim(false, "\(valueText(values)) became \(valueText(bag["list"]))")
    }
    let present = members.compactMap(Conversion.flat)
    let numbers = present.compactMap { Exact($0) }
    claimEqual(result("@count", of: bag) as? Int, values.count, "@count of \(valueText(values))")
    if let union = result("@unionOfObjects.self", of: bag) {
      claimEqual(valueText(union), valueText(present.map(Optional.some)), "the union")
    }
    guard numbers.count == present.count else { return }
    if !present.contains(where: { $0 is any FloatingPoint }), let sum = exactSum(numbers) {
      claimEqual(result("@sum.self", of: bag) as? Int, sum, "the sum of \(valueText(values))")
    }
    let comparable = numbers.filter { $0 != .notANumber }
    checkExtreme("@min.self", of: bag, comparable) { Exact.isLess($0, $1) }
    checkExtreme("@max.self", of: bag, comparable) { Exact.isLess($1, $0) }
  }

  private func checkExtreme(
    _ operation: String, of bag: KeyValueDictionary, _ values: [Exact],
    isBetter: (Exact, Exact) -> Bool
  ) {
    guard let extreme = result(operation, of: bag).flatMap({ Exact($0) }) else {
      return claim(values.isEmpty, "there is no \(operation) of \(values)")
    }
    claim(
      values.contains(extreme) && !values.contains { isBetter($0, extreme) },
      "\(operation) of \(values) is \(extreme)")
  }

  private func result(_ operation: String, of bag: KeyValueDictionary) -> Any? {
    do throws(KeyValueCodingError) {
      return try bag.value(forKeyPath: "list." + operation)
    } catch {
      claim(!error.description.isEmpty, "no description")
      return nil
    }
  }

  /// The sum of integers, if an `Int` holds it.
  private func exactSum(_ numbers: [Exact]) -> Int? {
    var sum: Int128 = 0
    for number in numbers {
      guard case .integer(let isNegative, let magnitude) = number,
        let magnitude = Int64(exactly: magnitude)
      else { return nil }
      sum += Int128(isNegative ? -magnitude : magnitude)
    }
    return Int(exactly: sum)
  }
}

extension Exact {
  /// Whether one number is less than another, neither of which is none.
  static func isLess(_ left: Exact, _ right: Exact) -> Bool {
    switch (left, right) {
    case (.integer(true, let left), .integer(true, let right)): left > right
    case (.integer(false, let left), .integer(false, let right)): left < right
    case (.integer(let isNegative, _), .integer): isNegative
    case (.floating(let left), .floating(let right)): left < right
    case (.integer(let isNegative, let magnitude), .floating(let right)):
      isBelow(isNegative, magnitude, right)
    case (.floating(let left), .integer(let isNegative, let magnitude)):
      isBelow(!isNegative, magnitude, -left)
    case (.notANumber, _), (_, .notANumber): false
    }
  }

  /// Whether an integer is less than a number that is none, or beyond all of them.
  private static func isBelow(_ isNegative: Bool, _ magnitude: UInt128, _ other: Double) -> Bool {
    if isNegative != (other < 0) { return isNegative }
    guard let whole = UInt128(exactly: other.magnitude.rounded(.down)) else { return other > 0 }
    return isNegative ? magnitude > whole : magnitude <= whole
  }
}
