/// The iterators of a sequence, and the elements that wait for each.
///
/// A value without a lock. It returns what has to be done outside of one: tasks to resume, and
/// elements whose release may run code of the user.
struct BroadcastState {
  /// The work that a step leaves to be done outside the lock.
  struct Leftovers {
    var waiters = Few<Inbox.Waiter>()
    fileprivate var elements = Few<Parcel>()
    fileprivate var inboxes: [Inbox] = []
    fileprivate var last: Parcel?
  }

  /// The place of an iterator, which is empty when that has left.
  fileprivate struct Seat {
    let number: Int
    var inbox: Inbox?
  }

  private let policy: ElementBuffer<Parcel>.Policy
  /// In the order of their numbers.
  ///
  /// Most have one. The first is there before its iterator, so that nothing is lost until then.
  private var seats: [Seat]
  private var seatCount = 0
  private var emptyCount = 0
  private var isFinished = false

  /// The element with which every iterator but the first begins.
  private var last: Parcel?
  private var keepsLast: Bool

  /// How many elements were sent.
  private var sentCount = 0
  private var sender: UnsafeMutableRawPointer?
  /// How many elements in a row still to come from one thread before it counts as the only one.
  private var sharedCount = 0

  init(_ policy: ElementBuffer<Parcel>.Policy, keepsLast: Bool) {
    self.policy = policy
    self.keepsLast = keepsLast
    seats = [Seat(number: 0, inbox: Inbox(policy))]
  }

  // MARK: Sending

  /// Gives an element to every iterator.
  ///
  /// `thread` is the one that sends it, and `record` is how the element is kept.
  mutating func send(
    _ element: Parcel, from thread: UnsafeMutableRawPointer, keeping record: Parcel?
  ) -> Leftovers {
    var leftovers = Leftovers()
    if isFinished { return leftovers }
    sentCount += 1
    noteSender(thread)
    if keepsLast { leftovers.last = exchange(&last, with: record) }
    for index in seats.indices {
      switch seats[index].inbox?.receive(element) {
      case .kept, nil: break
      case .handed(let waiter): leftovers.waiters.append(waiter)
      case .dropped(let element): leftovers.elements.append(element)
      }
    }
    return leftovers
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

  /// Puts an element in front of all others, before there is an iterator.
  mutating func begin(with element: Parcel, keeping record: Parcel?) -> Leftovers {
    var leftovers = Leftovers()
    if keepsLast, last == nil { last = record }
    if let dropped = seats[0].inbox?.begin(with: element) { leftovers.elements.append(dropped) }
    return leftovers
  }

  /// Notes that nothing follows.
  mutating func finish() -> Leftovers {
    var leftovers = Leftovers()
    isFinished = true
    leftovers.last = exchange(&last, with: nil)
    for index in seats.indices {
      seats[index].inbox?.finish().forEach { leftovers.waiters.append($0) }
    }
    return leftovers
  }

  // MARK: Receiving

  /// Gives an iterator a place.
  ///
  /// Returns its number.
  mutating func takeSeat() -> (Int, Leftovers) {
    var leftovers = Leftovers()
    let number = seatCount
    seatCount += 1
    if number == 0 { return (number, leftovers) }
    var inbox = Inbox(policy)
    if let element = last?.latest, case .dropped(let dropped) = inbox.receive(element) {
      leftovers.elements.append(dropped)
    }
    if isFinished { _ = inbox.finish() }
    seats.append(Seat(number: number, inbox: inbox))
    return (number, leftovers)
  }

  mutating func next(at number: Int) -> Inbox.Answer {
    guard let index = index(of: number) else { return .finished }
    return seats[index].inbox?.next() ?? .finished
  }

  mutating func next(
    at number: Int, for waiter: Inbox.Waiter
  ) -> Inbox.Answer {
    guard let index = index(of: number) else { return .finished }
    return seats[index].inbox?.next(for: waiter) ?? .finished
  }

  /// Takes an iterator's place away, with all that waits there.
  mutating func leaveSeat(_ number: Int) -> Leftovers {
    var leftovers = Leftovers()
    guard let index = index(of: number), var inbox = seats[index].inbox.take() else {
      return leftovers
    }
    emptyCount += 1
    removeEmptySeats()
    leftovers.waiters = inbox.finish()
    leftovers.inboxes = [inbox]
    return leftovers
  }

  /// Takes empty seats out where they are half of all: taking each out by itself would move all that
  /// follow it.
  private mutating func removeEmptySeats() {
    if emptyCount * 2 < seats.count { return }
    seats.removeAll { $0.inbox == nil }
    emptyCount = 0
  }

  /// Notes that there will be no further iterators.
  mutating func close() -> Leftovers {
    var leftovers = Leftovers()
    keepsLast = false
    leftovers.last = exchange(&last, with: nil)
    return leftovers
  }

  private func index(of number: Int) -> Int? {
    var candidates = seats.indices
    while !candidates.isEmpty {
      let middle = (candidates.lowerBound + candidates.upperBound) / 2
      let found = seats[middle].number
      if found == number { return middle }
      candidates =
        found < number
        ? middle + 1..<candidates.upperBound : candidates.lowerBound..<middle
    }
    return nil
  }
}
