/// One change of the elements of an array (P35).
@usableFromInline
struct ArrayEdit<Element> {
  /// What is done, and where.
  @usableFromInline
  let edit: Edit
  /// The elements that it brings.
  @usableFromInline
  let elements: [Element]

  @inlinable
  init(_ edit: Edit, bringing elements: [Element]) {
    self.edit = edit
    self.elements = elements
  }

  /// Inserts elements, which have these places when it is done.
  static func insertion(_ indexes: RangeSet<Int>, _ elements: [Element]) -> Self {
    Self(Edit(.insertion, at: indexes), bringing: elements)
  }

  /// Removes the elements at places.
  static func removal(_ indexes: RangeSet<Int>) -> Self {
    Self(Edit(.removal, at: indexes), bringing: [])
  }

  /// Puts other elements in places.
  static func replacement(_ indexes: RangeSet<Int>, _ elements: [Element]) -> Self {
    Self(Edit(.replacement, at: indexes), bringing: elements)
  }

  /// Traps if the edit does not fit an array.
  @inlinable
  func check(count: Int) {
    edit.check(bringing: elements.count, to: count)
  }

  /// Whether there are the places in an array, and as many elements for them.
  func fits(count: Int) -> Bool { edit.misfit(bringing: elements.count, to: count) == nil }

  /// Makes the change.
  ///
  /// Complexity: O(*m*) for *m* elements at the end of the array or replaced, else O(*n*) in the
  /// length of the array.
  @inlinable
  func apply(to array: inout [Element]) {
    guard let range = edit.range else { return applyScattered(to: &array) }
    switch edit.kind {
    case .setting: break
    case .insertion: array.insert(contentsOf: elements, at: range.lowerBound)
    case .removal: array.removeSubrange(range)
    case .replacement: array.replaceSubrange(range, with: elements)
    }
  }

  @usableFromInline
  func applyScattered(to array: inout [Element]) {
    guard let indexes = edit.indexes else { return }
    switch edit.kind {
    case .setting: break
    case .insertion: insert(at: indexes, into: &array)
    case .removal: array.removeSubranges(indexes)
    case .replacement:
      for (place, element) in zip(indexes.places, elements) { array[place] = element }
    }
  }

  private func insert(at indexes: RangeSet<Int>, into array: inout [Element]) {
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

extension Edit {
  /// Traps if these are not the places of as many elements as are brought to an array.
  @usableFromInline
  func check(bringing elementCount: Int, to count: Int) {
    misfit(bringing: elementCount, to: count)?.stop()
  }

  /// Why these cannot be the places of the elements that are brought to an array; nil if they can.
  fileprivate func misfit(bringing elementCount: Int, to count: Int) -> Trap? {
    let first = range?.lowerBound ?? indexes?.ranges.first?.lowerBound ?? 0
    let end = range?.upperBound ?? indexes?.ranges.last?.upperBound ?? 0
    let placeCount = range?.count ?? places.count
    if kind != .removal, placeCount != elementCount {
      return .elements(elementCount, for: placeCount)
    }
    if first < 0 || end > (kind == .insertion ? count + elementCount : count) {
      return .places(first..<end, outsideOf: count)
    }
    return nil
  }

  /// Each place, in ascending order.
  @usableFromInline
  var places: [Int] { range.map { Array($0) } ?? indexes?.places ?? [] }

  /// Whether it concerns no element at all.
  @inlinable
  var isEmpty: Bool { range == nil && indexes?.isEmpty != false }
}

extension Array {
  /// The elements at places, in ascending order.
  func elements(at indexes: RangeSet<Int>) -> [Element] { Array(self[indexes]) }

  /// The elements that an edit concerns, in ascending order of their places.
  @inlinable
  func elements(at edit: Edit) -> [Element] {
    if let range = edit.range { return Array(self[range]) }
    return scattered(at: edit)
  }

  @usableFromInline
  func scattered(at edit: Edit) -> [Element] { edit.indexes.map { elements(at: $0) } ?? [] }
}
