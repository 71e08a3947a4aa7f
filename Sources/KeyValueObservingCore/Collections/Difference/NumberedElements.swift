/// The elements of two versions of an array as numbers: two elements are the same if their numbers are.
///
/// An element that does not equal itself, such as a NaN, is the same as no other.
@usableFromInline
struct NumberedElements {
  let former: [Int]
  let current: [Int]
  /// All numbers are less than that.
  let count: Int
  private let isInFormer: [Bool]
  private let isInCurrent: [Bool]

  /// The number of all elements that do not equal themselves.
  private static var unequal: Int { 0 }

  private init(_ former: [Int], _ current: [Int], below count: Int) {
    func areAmong(_ numbers: [Int]) -> [Bool] {
      var areAmong = Array(repeating: false, count: count)
      for number in numbers where number != NumberedElements.unequal { areAmong[number] = true }
      return areAmong
    }
    self.former = former
    self.current = current
    self.count = count
    isInFormer = areAmong(former)
    isInCurrent = areAmong(current)
  }

  /// Whether both versions have elements with the number.
  func isShared(_ number: Int) -> Bool { isInFormer[number] && isInCurrent[number] }
}

extension NumberedElements {
  /// Numbers elements in the order in which they are met.
  ///
  /// - Complexity: O(*n*) on average.
  init<Element: Hashable>(
    _ former: some Collection<Element>, _ current: some Collection<Element>
  ) {
    var numbers: [Element: Int] = [:]
    numbers.reserveCapacity(former.count)
    var count = NumberedElements.unequal + 1
    func number(_ element: Element) -> Int {
      // In a dictionary, elements that do not equal themselves would be compared each with each.
      guard element == element else { return NumberedElements.unequal }
      if let number = numbers[element] { return number }
      numbers[element] = count
      count += 1
      return count - 1
    }
    self.init(former.map(number), current.map(number), below: count)
  }

  /// Numbers elements in ascending order.
  ///
  /// Returns nil if two elements are different and neither is less, so that the order does not
  /// distinguish all elements.
  ///
  /// - Complexity: O(*n* log *n*).
  init?<Element: Comparable>(sorting former: ArraySlice<Element>, _ current: ArraySlice<Element>) {
    let elements = Array(former + current)
    let order = elements.indices.filter { elements[$0] == elements[$0] }
      .sorted { elements[$0] < elements[$1] }
    var numbers = Array(repeating: NumberedElements.unequal, count: elements.count)
    var count = NumberedElements.unequal
    var previous: Int?
    for place in order {
      let isLess = previous.map { elements[$0] < elements[place] } ?? true
      let isSame = previous.map { elements[$0] == elements[place] } ?? false
      if isLess == isSame { return nil }
      if isLess { count += 1 }
      numbers[place] = count
      previous = place
    }
    self.init(
      Array(numbers[..<former.count]), Array(numbers[former.count...]), below: count + 1)
  }

  /// Numbers elements if their type can be hashed or ordered, which only run time knows; nil if it
  /// cannot.
  @usableFromInline
  static func ifPossible<Element>(
    _ former: ArraySlice<Element>, _ current: ArraySlice<Element>
  ) -> NumberedElements? {
    // In both, `Key` is `Element`.
    func hashed<Key: Hashable>(_: Key.Type) -> NumberedElements {
      NumberedElements(former as! ArraySlice<Key>, current as! ArraySlice<Key>)
    }
    func sorted<Key: Comparable>(_: Key.Type) -> NumberedElements? {
      NumberedElements(sorting: former as! ArraySlice<Key>, current as! ArraySlice<Key>)
    }
    if let type = Element.self as? any Hashable.Type { return hashed(type) }
    if let type = Element.self as? any Comparable.Type { return sorted(type) }
    return nil
  }

  /// Numbers objects by identity.
  @usableFromInline
  static func objects<Element: AnyObject>(
    _ former: ArraySlice<Element>, _ current: ArraySlice<Element>
  ) -> NumberedElements {
    NumberedElements(former.map(ObjectIdentifier.init), current.map(ObjectIdentifier.init))
  }
}
