/// The iterators of a sequence, and the elements that wait for each.
///
/// A value without a lock. It returns what has to be done outside of one: tasks to resume, and
/// elements whose release may run code of the user.
struct MulticastState {
  /// The work that a step leaves to be done outside the lock.
  struct DeferredWork {
    var waiters = SmallArray<IteratorBuffer.Waiter>()
    fileprivate var elements = SmallArray<AnyElement>()
    fileprivate var buffers: [IteratorBuffer] = []
    fileprivate var last: AnyElement?
  }

  /// An iterator, and the elements that wait for it; without a buffer once it is removed.
  fileprivate struct Entry {
    let number: Int
    var buffer: IteratorBuffer?
  }

  private let policy: ElementBuffer<AnyElement>.Policy
  /// In the order of their numbers.
  ///
  /// Most have one. The first is there before its iterator, so that nothing is lost until then.
  private var entries: [Entry]
  private var iteratorCount = 0
  private var emptyCount = 0
  private var isFinished = false

  /// The element with which every iterator but the first begins.
  private var last: AnyElement?
  private var keepsLast: Bool

  /// How many elements were sent.
  private var sentCount = 0
  private var sender: UnsafeMutableRawPointer?
  /// How many elements in a row still to come from one thread before it counts as the only one.
  private var sharedCount = 0

  init(_ policy: ElementBuffer<AnyElement>.Policy, keepsLast: Bool) {
    self.policy = policy
    self.keepsLast = keepsLast
    entries = [Entry(number: 0, buffer: IteratorBuffer(policy))]
  }

  // MARK: Sending

  /// Gives an element to every iterator.
  ///
  /// `thread` is the one that sends it, and `record` is how the element is kept.
  mutating func send(
    _ element: AnyElement, from thread: UnsafeMutableRawPointer, keeping record: AnyElement?
  ) -> DeferredWork {
    var deferred = DeferredWork()
    if isFinished { return deferred }
    sentCount += 1
    noteSender(thread)
    if keepsLast { deferred.last = exchange(&last, with: record) }
    for index in entries.indices {
      switch entries[index].buffer?.receive(element) {
      case .kept, nil: break
      case .handed(let waiter): deferred.waiters.append(waiter)
      case .dropped(let element): deferred.elements.append(element)
      }
    }
    return deferred
  }

  /// The number of the element that was sent last, if they come from several threads.
  var numberOfSharedElement: Int? { sharedCount > 0 ? sentCount : nil }

  /// Notes which thread sends an element.
  ///
  /// A thread from which many elements have come in a row counts as the only one again: it has read each
  /// of them after the last element of any other thread.
  private mutating func noteSender(_ thread: UnsafeMutableRawPointer) {
    if sender == thread {
      if sharedCount > 0 { sharedCount -= 1 }
    } else {
      if sender != nil { sharedCount = Self.sharedLimit }
      sender = thread
    }
  }

  /// How many elements of one thread make it the only one that sends.
  static var sharedLimit: Int { 100 }

  /// Whether an element is still the one that was sent last.
  func isLast(_ number: Int) -> Bool { number == sentCount }

  /// Lets iterators that begin later begin with the next element.
  mutating func forgetLast() -> DeferredWork {
    var deferred = DeferredWork()
    deferred.last = exchange(&last, with: nil)
    return deferred
  }

  /// Puts an element in front of all others, before there is an iterator.
  mutating func begin(with element: AnyElement, keeping record: AnyElement?) -> DeferredWork {
    var deferred = DeferredWork()
    if keepsLast, last == nil { last = record }
    if let dropped = entries[0].buffer?.begin(with: element) { deferred.elements.append(dropped) }
    return deferred
  }

  /// Notes that nothing follows.
  mutating func finish() -> DeferredWork {
    var deferred = DeferredWork()
    isFinished = true
    deferred.last = exchange(&last, with: nil)
    for index in entries.indices {
      entries[index].buffer?.finish().forEach { deferred.waiters.append($0) }
    }
    return deferred
  }

  // MARK: Receiving

  /// Registers an iterator.
  ///
  /// Returns its number.
  mutating func addIterator() -> (Int, DeferredWork) {
    var deferred = DeferredWork()
    let number = iteratorCount
    iteratorCount += 1
    if number == 0 { return (number, deferred) }
    var buffer = IteratorBuffer(policy)
    if let element = last?.latest, case .dropped(let dropped) = buffer.receive(element) {
      deferred.elements.append(dropped)
    }
    if isFinished { _ = buffer.finish() }
    entries.append(Entry(number: number, buffer: buffer))
    return (number, deferred)
  }

  mutating func next(for number: Int) -> IteratorBuffer.Answer {
    guard let index = index(of: number) else { return .finished }
    return entries[index].buffer?.next() ?? .finished
  }

  /// Returns the next element, or makes `waiter` wait for it.
  mutating func next(for number: Int, waiter: IteratorBuffer.Waiter) -> IteratorBuffer.Answer {
    guard let index = index(of: number) else { return .finished }
    return entries[index].buffer?.next(waiter: waiter) ?? .finished
  }

  /// Removes an iterator and the elements that wait for it.
  mutating func removeIterator(_ number: Int) -> DeferredWork {
    var deferred = DeferredWork()
    guard let index = index(of: number), var buffer = entries[index].buffer.take() else {
      return deferred
    }
    emptyCount += 1
    compact()
    deferred.waiters = buffer.finish()
    deferred.buffers = [buffer]
    return deferred
  }

  /// Removes the empty entries once they are half of all: removing each by itself would move all that
  /// follow it.
  private mutating func compact() {
    if emptyCount * 2 < entries.count { return }
    entries.removeAll { $0.buffer == nil }
    emptyCount = 0
  }

  /// Notes that there will be no further iterators.
  mutating func close() -> DeferredWork {
    var deferred = DeferredWork()
    keepsLast = false
    deferred.last = exchange(&last, with: nil)
    return deferred
  }

  private func index(of number: Int) -> Int? {
    var candidates = entries.indices
    while !candidates.isEmpty {
      let middle = (candidates.lowerBound + candidates.upperBound) / 2
      let found = entries[middle].number
      if found == number { return middle }
      candidates =
        found < number
        ? middle + 1..<candidates.upperBound : candidates.lowerBound..<middle
    }
    return nil
  }
}
