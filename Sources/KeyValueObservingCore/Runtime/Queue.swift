/// Elements in their order, most of which are appended at the end and removed from the front.
struct Queue<Element>: RandomAccessCollection {
  /// Those that were removed from the front leave nil behind until they are half of the array.
  private var elements: ContiguousArray<Element?> = []
  private var head = 0

  var startIndex: Int { 0 }
  @inline(__always) var endIndex: Int { elements.count - head }
  @inline(__always) var count: Int { endIndex }
  @inline(__always) var isEmpty: Bool { endIndex == 0 }

  /// The newest element, if there is one.
  @inline(__always) var last: Element? { elements.last ?? nil }

  subscript(position: Int) -> Element {
    @inline(__always) get { elements[head + position].unsafelyUnwrapped }
    set { elements[head + position] = newValue }
  }

  /// - Complexity: O(1) amortized.
  @inline(__always)
  mutating func append(_ element: consuming Element) { elements.append(element) }

  /// - Complexity: O(1) at the end, else O(*n*).
  mutating func insert(_ element: consuming Element, at position: Int) {
    elements.insert(element, at: head + position)
  }

  /// - Complexity: O(1) amortized in front and at the end, else O(*n*).
  @inline(__always)
  @discardableResult
  mutating func remove(at position: Int) -> Element {
    // Mostly it is the only one.
    if head == 0, position == elements.count - 1 { return elements.removeLast().unsafelyUnwrapped }
    return removeOlder(at: position)
  }

  @inline(never)
  private mutating func removeOlder(at position: Int) -> Element {
    guard position == 0 else { return elements.remove(at: head + position).unsafelyUnwrapped }
    let first = elements[head].take().unsafelyUnwrapped
    head += 1
    if head > elements.count / 2 { closeGap() }
    return first
  }

  mutating func popFirst() -> Element? { isEmpty ? nil : remove(at: 0) }

  mutating func removeAll(where isRemoved: (Element) -> Bool) {
    closeGap()
    elements.removeAll { isRemoved($0.unsafelyUnwrapped) }
  }

  private mutating func closeGap() {
    if head == 0 { return }
    elements.removeSubrange(..<head)
    head = 0
  }
}
