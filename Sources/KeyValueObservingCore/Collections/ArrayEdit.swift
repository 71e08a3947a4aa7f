/// One change of the elements of an array, with the places of the elements (P35).
@usableFromInline
enum ArrayEdit<Element> {
  /// Inserts elements, which have these places when it is done.
  case insertion(RangeSet<Int>, [Element])
  /// Removes the elements at places.
  case removal(RangeSet<Int>)
  /// Puts other elements in places.
  case replacement(RangeSet<Int>, [Element])

  @inlinable
  var kind: KeyValueChangeKind {
    switch self {
    case .insertion: .insertion
    case .removal: .removal
    case .replacement: .replacement
    }
  }

  /// The places of the elements, in the array before a removal and after anything else.
  @inlinable
  var indexes: RangeSet<Int> {
    switch self {
    case .insertion(let indexes, _), .removal(let indexes), .replacement(let indexes, _): indexes
    }
  }

  /// Traps if the edit does not fit an array.
  @inlinable
  func check(count: Int) {
    switch self {
    case .insertion(let indexes, let elements):
      indexes.check(takesAll: elements.count, within: count + elements.count, of: count)
    case .removal(let indexes): indexes.check(takesAll: nil, within: count, of: count)
    case .replacement(let indexes, let elements):
      indexes.check(takesAll: elements.count, within: count, of: count)
    }
  }

  /// Makes the change.
  ///
  /// Complexity: O(*m*) for *m* elements at the end of the array or replaced, else O(*n*) in the
  /// length of the array.
  @inlinable
  func apply(to array: inout [Element]) {
    switch self {
    case .insertion(let indexes, let elements): insert(elements, at: indexes, into: &array)
    case .removal(let indexes):
      if let range = indexes.onlyRange {
        array.removeSubrange(range)
      } else {
        array.removeSubranges(indexes)
      }
    case .replacement(let indexes, let elements):
      for (place, element) in zip(indexes.places, elements) { array[place] = element }
    }
  }

  @usableFromInline
  func insert(
    _ elements: [Element], at indexes: RangeSet<Int>, into array: inout [Element]
  ) {
    if let range = indexes.onlyRange {
      array.insert(contentsOf: elements, at: range.lowerBound)
      return
    }
    guard let first = indexes.ranges.first?.lowerBound else { return }
    // All that comes behind the first place is put together once, instead of being moved for each.
    var rest = array[first...].makeIterator()
    var inserted = elements.makeIterator()
    var tail: [Element] = []
    tail.reserveCapacity(array.count - first + elements.count)
    for range in indexes.ranges {
      while first + tail.count < range.lowerBound, let element = rest.next() {
        tail.append(element)
      }
      for _ in range { tail.append(inserted.next()!) }
    }
    while let element = rest.next() { tail.append(element) }
    array.replaceSubrange(first..., with: tail)
  }
}

extension RangeSet<Int> {
  /// The range, if there is one and no other.
  @usableFromInline
  var onlyRange: Range<Int>? { ranges.count == 1 ? ranges[0] : nil }

  /// How many indexes there are.
  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Each index, in ascending order.
  @usableFromInline
  var places: [Int] { ranges.flatMap { Array($0) } }

  /// Traps if these are not the places of as many elements in an array.
  @usableFromInline
  func check(takesAll elementCount: Int?, within limit: Int, of count: Int) {
    if let elementCount {
      precondition(
        self.count == elementCount,
        "\(elementCount) elements do not go to \(self.count) places: give as many")
    }
    let isInside = ranges.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= limit }
    precondition(
      isInside,
      "the places \(self) are outside of an array of \(count) elements: ask for its count first")
  }

  init(places: some Sequence<Int>) {
    self.init()
    for place in places { insert(contentsOf: place..<(place + 1)) }
  }
}

extension Array {
  /// The elements at places, in ascending order.
  @inlinable
  func elements(at indexes: RangeSet<Int>) -> [Element] {
    if let range = indexes.onlyRange { return Array(self[range]) }
    return Array(self[indexes])
  }
}
