/// Passes what happens in the setters of a property to the tasks that wait for it.
///
/// The lock around the state. It is never held while a task is resumed or an element released.
final class Broadcast<Element>: @unchecked Sendable {  // `state` is guarded by `lock`
  typealias State = BroadcastState<Element>

  private let lock = Lock()
  // Exclusive because the lock is held; checking it again would cost as much.
  @exclusivity(unchecked)
  private var state: State
  private let keepsLast: Bool

  /// - `keepsLast`: Whether an iterator that is not the first begins with the element that was
  ///   sent last.
  init(_ policy: ElementBuffer<Element>.Policy, keepsLast: Bool) {
    state = State(policy, keepsLast: keepsLast)
    self.keepsLast = keepsLast
  }

  // MARK: Sending

  /// Gives an element to every iterator.
  ///
  /// Returns its number if elements come from several threads.
  @discardableResult
  func send(_ element: Element) -> Int? {
    let record = self.record(of: element)
    let (leftovers, number) = lock.withLock {
      let leftovers = state.send(element, from: ThreadState.identity, keeping: record)
      return (leftovers, state.numberOfSharedElement)
    }
    leftovers.waiters.forEach { $0.resume(returning: Parcel(element: element)) }
    return number
  }

  /// Gives an element to every iterator, unless another one was sent after that with a number.
  func send(_ element: Element, ifNothingFollowed number: Int) {
    let record = self.record(of: element)
    let leftovers = lock.withLock {
      state.isLast(number)
        ? state.send(element, from: ThreadState.identity, keeping: record) : State.Leftovers()
    }
    leftovers.waiters.forEach { $0.resume(returning: Parcel(element: element)) }
  }

  /// Puts an element in front of all others, before there is an iterator.
  func begin(with element: Element) {
    let record = self.record(of: element)
    let leftovers = lock.withLock { state.begin(with: element, keeping: record) }
    extendLifetime(leftovers)
  }

  private func record(of element: Element) -> LastElement<Element>? {
    keepsLast ? LastElement(element) : nil
  }

  /// Notes that nothing follows.
  func finish() {
    resumeInVain(lock.withLock { state.finish() })
  }

  // MARK: Receiving

  func takeSeat() -> Int {
    let (seat, leftovers) = lock.withLock { state.takeSeat() }
    extendLifetime(leftovers)
    return seat
  }

  func leaveSeat(_ seat: Int) {
    resumeInVain(lock.withLock { state.leaveSeat(seat) })
  }

  /// Notes that there will be no further iterators.
  func close() {
    resumeInVain(lock.withLock { state.close() })
  }

  private func resumeInVain(_ leftovers: State.Leftovers) {
    leftovers.waiters.forEach { $0.resume(returning: nil) }
  }

  /// Takes what there is at a seat.
  func answer(at seat: Int) -> Inbox<Element>.Answer {
    lock.withLock { state.next(at: seat) }
  }

  /// Returns the next element at a seat as soon as there is one.
  ///
  /// A task that is cancelled gives the seat up.
  func next(at seat: Int, isolation actor: isolated (any Actor)?) async -> Element? {
    if Task.isCancelled {
      leaveSeat(seat)
      return nil
    }
    switch answer(at: seat) {
    case .element(let element): return element
    case .finished: return nil
    case .nothingYet: break
    }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation(isolation: actor) { waiter in
        switch lock.withLock({ state.next(at: seat, for: waiter) }) {
        case .element(let element): waiter.resume(returning: Parcel(element: element))
        case .finished: waiter.resume(returning: nil)
        case .nothingYet: break
        }
      }
    } onCancel: {
      leaveSeat(seat)
    }?.element
  }
}
