/// A list of which most have one element at most, and then allocate nothing.
struct SmallArray<Element> {
  private(set) var first: Element?
  private var others: [Element] = []

  init(_ first: Element? = nil) {
    self.first = first
  }

  var isEmpty: Bool { first == nil }

  mutating func append(_ element: Element) {
    if first == nil {
      first = element
    } else {
      others.append(element)
    }
  }

  mutating func popFirst() -> Element? {
    defer { first = others.isEmpty ? nil : others.removeFirst() }
    return first
  }

  func forEach(_ body: (Element) -> Void) {
    if let first { body(first) }
    others.forEach(body)
  }
}
