/// Elements in their order, most of which are appended at the end and removed from the front.
struct Queue<Element>: RandomAccessCollection {
  // Mostly there is one element, for which an array takes ten times as long (row: set an input).
  /// The element that was appended when there was none, until there is a second one.
  private var only: Element?
  /// All elements, if there is more than one, or was since the queue was empty.
  ///
  /// Those that were removed from the front leave nil behind until they are half of the array.
  private var elements: ContiguousArray<Element?> = []
  private var head = 0

  var startIndex: Int { 0 }
  @inline(__always) var endIndex: Int { only == nil ? elements.count - head : 1 }
  @inline(__always) var count: Int { endIndex }
  @inline(__always) var isEmpty: Bool { endIndex == 0 }

  /// The newest element, if there is one.
  var last: Element? { isEmpty ? nil : self[count - 1] }

  subscript(position: Int) -> Element {
    @inline(__always) get {
      if let only { return only }
      return elements[head + position].unsafelyUnwrapped
    }
    set {
      if only == nil { elements[head + position] = newValue } else { only = newValue }
    }
  }

  /// - Complexity: O(1) amortized.
  @inline(__always)
  mutating func append(_ element: consuming Element) {
    if isEmpty { only = element } else { insert(element, at: count) }
  }

  /// - Complexity: O(1) at the end, else O(*n*).
  @inline(never)
  mutating func insert(_ element: consuming Element, at position: Int) {
    if let first = only.take() { elements.append(first) }
    elements.insert(element, at: head + position)
  }

  /// - Complexity: Amortized that of the elements in front or behind, whichever are fewer.
  @inline(__always)
  @discardableResult
  mutating func remove(at position: Int) -> Element {
    only.take() ?? removeAmongOthers(at: position)
  }

  @inline(never)
  private mutating func removeAmongOthers(at position: Int) -> Element {
    let index = head + position
    if position >= (count + 1) / 2 { return elements.remove(at: index).unsafelyUnwrapped }
    let removed = elements[index].take().unsafelyUnwrapped
    for index in (head..<index).reversed() { elements.swapAt(index, index + 1) }
    head += 1
    if head > elements.count / 2 { closeGap() }
    return removed
  }

  mutating func popFirst() -> Element? { isEmpty ? nil : remove(at: 0) }

  private mutating func closeGap() {
    if head == 0 { return }
    elements.removeSubrange(..<head)
    head = 0
  }
}

extension Queue where Element: AnyObject {
  /// An element, which is not retained.
  @inline(__always)
  func unmanaged(at position: Int) -> Unmanaged<Element> {
    if let only { return .passUnretained(only) }
    return .passUnretained(elements[head + position].unsafelyUnwrapped)
  }
}
