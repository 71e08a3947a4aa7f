/// Elements that wait for their consumer, as many as a policy allows.
struct ElementBuffer<Element> {
  typealias Policy = AsyncStream<Element>.Continuation.BufferingPolicy

  private let policy: Policy
  private var incoming: [Element] = []
  /// The older elements, the oldest last.
  ///
  /// When there are none, the arrays change places, so that both keep their memory and each element
  /// is moved once.
  private var outgoing: [Element] = []

  init(_ policy: Policy) {
    self.policy = policy
  }

  private var count: Int { incoming.count + outgoing.count }

  /// Adds an element, and returns the one for which there is no room then.
  mutating func append(_ element: Element) -> Element? {
    switch policy {
    case .bufferingOldest(let limit) where count >= limit: return element
    case .bufferingNewest(let limit) where limit <= 0: return element
    case .bufferingNewest(let limit):
      incoming.append(element)
      return count > limit ? popFirst() : nil
    default:
      incoming.append(element)
      return nil
    }
  }

  mutating func popFirst() -> Element? {
    if outgoing.isEmpty {
      swap(&incoming, &outgoing)
      outgoing.reverse()
    }
    return outgoing.popLast()
  }

  /// Puts an element in front of the others, as if it had been the first to come.
  ///
  /// Returns the one for which there is no room then.
  mutating func begin(with element: Element) -> Element? {
    var others = exchange(&self, with: ElementBuffer(policy))
    var dropped = append(element)
    while let other = others.popFirst() { dropped = append(other) ?? dropped }
    return dropped
  }
}
