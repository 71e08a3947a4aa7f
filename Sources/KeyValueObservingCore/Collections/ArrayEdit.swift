/// One change of the elements of an array, with the places of the elements (P35).
enum ArrayEdit<Element> {
  /// Inserts elements, which have these places when it is done.
  case insertion(RangeSet<Int>, [Element])
  /// Removes the elements at places.
  case removal(RangeSet<Int>)
  /// Puts other elements in places.
  case replacement(RangeSet<Int>, [Element])

  var kind: KeyValueChangeKind {
    switch self {
    case .insertion: .insertion
    case .removal: .removal
    case .replacement: .replacement
    }
  }

  /// The places of the elements, in the array before a removal and after anything else.
  var indexes: RangeSet<Int> {
    switch self {
    case .insertion(let indexes, _), .removal(let indexes), .replacement(let indexes, _): indexes
    }
  }

  /// Traps if the edit does not fit an array.
  func check(count: Int) {
    let limit: Int
    switch self {
    case .insertion(let indexes, let elements):
      limit = count + elements.count
      precondition(
        indexes.count == elements.count,
        "\(elements.count) elements cannot be inserted at \(indexes.count) places: give as many")
    case .removal: limit = count
    case .replacement(let indexes, let elements):
      limit = count
      precondition(
        indexes.count == elements.count,
        "\(indexes.count) elements cannot be replaced by \(elements.count): give as many")
    }
    let isInside = indexes.ranges.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= limit }
    precondition(
      isInside,
      "the indexes \(indexes) are outside of an array of \(count) elements: ask for its count first"
    )
  }

  /// Makes the change.
  ///
  /// Complexity: O(*m*) for *m* elements at the end of the array or replaced, else O(*n*) in the
  /// length of the array.
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

  private func insert(
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
  var onlyRange: Range<Int>? { ranges.count == 1 ? ranges[0] : nil }

  /// How many indexes there are.
  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Each index, in ascending order.
  var places: [Int] { ranges.flatMap { Array($0) } }

  init(places: some Sequence<Int>) {
    self.init()
    for place in places { insert(contentsOf: place..<(place + 1)) }
  }
}

extension Array {
  /// The elements at places, in ascending order.
  func elements(at indexes: RangeSet<Int>) -> [Element] { Array(self[indexes]) }
}
