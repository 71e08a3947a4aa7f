/// One change of the elements of an array (P35).
@usableFromInline
struct ArrayEdit<Element> {
  /// The kind and the indexes of the mutation.
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

  /// Why the edit does not fit an array; nil if it does.
  @inlinable
  func misfit(count: Int) -> EditMisfit? {
    edit.fits(bringing: elements.count, to: count) ? nil : EditMisfit(edit, count: count)
  }

  /// Makes the change.
  ///
  /// If another thread has changed the array since the mutation was validated, indexes behind its
  /// end are omitted, and elements that would be inserted there are appended.
  ///
  /// - Complexity: O(*m*) for *m* elements at the end of the array or replaced, else O(*n*) in the
  ///   length of the array.
  @inlinable
  func apply(to array: inout [Element]) {
    guard let range = edit.range else { return applyScattered(to: &array) }
    switch edit.kind {
    case .setting: break
    case .insertion: array.insert(contentsOf: elements, at: min(range.lowerBound, array.count))
    case .removal: array.removeSubrange(range.clamped(to: array.indices))
    case .replacement:
      let range = range.clamped(to: array.indices)
      array.replaceSubrange(range, with: elements.prefix(range.count))
    }
  }

  @usableFromInline
  func applyScattered(to array: inout [Element]) {
    guard let indexes = edit.indexes else { return }
    switch edit.kind {
    case .setting: break
    case .insertion: insert(at: indexes, into: &array)
    case .removal: array.removeSubranges(indexes.intersection(RangeSet(array.indices)))
    case .replacement:
      for (place, element) in zip(indexes.places, elements) where place < array.count {
        array[place] = element
      }
    }
  }

  private func insert(at indexes: RangeSet<Int>, into array: inout [Element]) {
    guard let lowest = indexes.ranges.first?.lowerBound else { return }
    let first = min(lowest, array.count)
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

/// An edit at places that an array does not have.
@usableFromInline
struct EditMisfit {
  let span: Range<Int>
  let count: Int

  @usableFromInline
  init(_ edit: Edit, count: Int) {
    span = edit.span
    self.count = count
  }
}

extension Edit {
  /// Traps if these are not the places of as many elements as are brought to an array.
  @usableFromInline
  func check(bringing elementCount: Int, to count: Int) {
    if fits(bringing: elementCount, to: count) { return }
    let isShort = kind != .removal && placeCount != elementCount
    let trap: Trap =
      isShort
      ? .elementCount(elementCount, for: placeCount) : .indexOutOfRange(span, count: count)
    trap.stop()
  }

  /// Whether these can be the places of as many elements as are brought to an array.
  @usableFromInline
  func fits(bringing elementCount: Int, to count: Int) -> Bool {
    fits(count: count) && (kind == .removal || placeCount == elementCount)
  }

  /// Whether these can be the places of a mutation of an array.
  func fits(count: Int) -> Bool {
    let span = span
    if span.lowerBound < 0 { return false }
    if kind != .insertion { return span.upperBound <= count }
    let (limit, isTooLong) = count.addingReportingOverflow(placeCount)
    return !isTooLong && span.upperBound <= limit
  }

  /// From the first place to the last.
  fileprivate var span: Range<Int> {
    if let range { return range }
    guard let ranges = indexes?.ranges, let first = ranges.first, let last = ranges.last else {
      return 0..<0
    }
    return first.lowerBound..<last.upperBound
  }

  private var placeCount: Int {
    range?.count ?? indexes?.ranges.reduce(0) { $0 + $1.count } ?? 0
  }

  /// Each place, in ascending order.
  @usableFromInline
  var places: [Int] { range.map { Array($0) } ?? indexes?.places ?? [] }

  /// Whether it concerns no element at all.
  @inlinable
  var isEmpty: Bool { range == nil && indexes?.isEmpty != false }
}

extension Array {
  /// The elements at the indexes of a mutation, in ascending order.
  ///
  /// If another thread has changed the array since the mutation was validated, indexes behind its
  /// end are omitted.
  @inlinable
  func elements(at edit: Edit) -> [Element] {
    if let range = edit.range { return Array(self[range.clamped(to: indices)]) }
    return scattered(at: edit)
  }

  @usableFromInline
  func scattered(at edit: Edit) -> [Element] {
    edit.indexes.map { Array(self[$0.intersection(RangeSet(indices))]) } ?? []
  }
}
