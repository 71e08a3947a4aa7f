/// The elements that wait for an iterator, or the iterator's own wait for one.
struct Inbox {
  typealias Waiter = UnsafeContinuation<Parcel?, Never>

  private var buffer: ElementBuffer<Parcel>
  /// There are none while there are elements, and several only if the iterator was copied.
  private(set) var waiters = Few<Waiter>()
  private var isFinished = false

  init(_ policy: ElementBuffer<Parcel>.Policy) {
    buffer = ElementBuffer(policy)
  }

  /// The result of adding an element.
  enum Receipt {
    case kept
    /// An iterator waited for the element.
    case handed(to: Waiter)
    /// There was no room for this element.
    case dropped(Parcel)
  }

  mutating func receive(_ element: Parcel) -> Receipt {
    if let waiter = waiters.popFirst() { return .handed(to: waiter) }
    return buffer.append(element).map { .dropped($0) } ?? .kept
  }

  /// Puts an element in front of those that have come.
  ///
  /// Returns the one for which there is no room then.
  mutating func begin(with element: Parcel) -> Parcel? {
    buffer.begin(with: element)
  }

  /// The result of asking for an element.
  enum Answer {
    case element(Parcel)
    case nothingYet
    case finished
  }

  mutating func next() -> Answer {
    buffer.popFirst().map { .element($0) } ?? (isFinished ? .finished : .nothingYet)
  }

  /// Answers, and lets `waiter` wait if there is nothing yet.
  mutating func next(for waiter: Waiter) -> Answer {
    let answer = next()
    if case .nothingYet = answer { waiters.append(waiter) }
    return answer
  }

  /// Notes that nothing follows.
  ///
  /// Returns those who wait in vain.
  mutating func finish() -> Few<Waiter> {
    isFinished = true
    return exchange(&waiters, with: Few())
  }
}
