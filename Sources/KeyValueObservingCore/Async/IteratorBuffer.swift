/// The elements that wait for an iterator, or the iterator's own wait for one.
struct IteratorBuffer {
  typealias Waiter = UnsafeContinuation<AnyElement?, Never>

  private var buffer: ElementBuffer<AnyElement>
  /// There are none while there are elements, and several only if the iterator was copied.
  private(set) var waiters = SmallArray<Waiter>()
  private var isFinished = false

  init(_ policy: ElementBuffer<AnyElement>.Policy) {
    buffer = ElementBuffer(policy)
  }

  /// The result of adding an element.
  enum Receipt {
    case kept
    /// An iterator waited for the element.
    case handed(to: Waiter)
    /// There was no room for this element.
    case dropped(AnyElement)
  }

  mutating func receive(_ element: AnyElement) -> Receipt {
    if let waiter = waiters.popFirst() { return .handed(to: waiter) }
    return buffer.append(element).map { .dropped($0) } ?? .kept
  }

  /// Puts an element in front of those that have come.
  ///
  /// Returns the one for which there is no room then.
  mutating func begin(with element: AnyElement) -> AnyElement? {
    buffer.begin(with: element)
  }

  /// The result of asking for an element.
  enum Answer {
    case element(AnyElement)
    case nothingYet
    case finished
  }

  mutating func next() -> Answer {
    buffer.popFirst().map { .element($0) } ?? (isFinished ? .finished : .nothingYet)
  }

  /// Returns the next element, or makes `waiter` wait for it.
  mutating func next(waiter: Waiter) -> Answer {
    let answer = next()
    if case .nothingYet = answer { waiters.append(waiter) }
    return answer
  }

  /// Notes that nothing follows.
  ///
  /// Returns the waiters that receive no element.
  mutating func finish() -> SmallArray<Waiter> {
    isFinished = true
    return exchange(&waiters, with: SmallArray())
  }
}
