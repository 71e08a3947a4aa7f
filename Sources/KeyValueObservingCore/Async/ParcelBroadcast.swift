/// Passes parcels from the setters of a property to the tasks that wait for them.
///
/// The lock around the state. It is never held while a task is resumed or an element released.
final class ParcelBroadcast: @unchecked Sendable {  // `state` is guarded by `lock`
  typealias State = BroadcastState

  private let lock = Lock()
  // Exclusive because the lock is held; checking it again would cost as much.
  @exclusivity(unchecked)
  private var state: State

  init(_ policy: ElementBuffer<Parcel>.Policy, keepsLast: Bool) {
    state = State(policy, keepsLast: keepsLast)
  }

  // MARK: Sending

  /// Gives an element to every iterator.
  ///
  /// Returns its number if elements come from several threads.
  ///
  /// - `record`: How the element is kept for iterators that begin later.
  func send(_ parcel: Parcel, keeping record: Parcel?) -> Int? {
    let (leftovers, number) = lock.withLock {
      let leftovers = state.send(parcel, from: ThreadState.identity, keeping: record)
      return (leftovers, state.numberOfSharedElement)
    }
    leftovers.waiters.forEach { $0.resume(returning: parcel) }
    return number
  }

  /// Gives an element to every iterator, unless another one was sent after that with a number.
  func send(_ parcel: Parcel, keeping record: Parcel?, ifNothingFollowed number: Int) {
    let leftovers = lock.withLock {
      state.isLast(number)
        ? state.send(parcel, from: ThreadState.identity, keeping: record) : State.Leftovers()
    }
    leftovers.waiters.forEach { $0.resume(returning: parcel) }
  }

  /// Puts an element in front of all others, before there is an iterator.
  func begin(with parcel: Parcel, keeping record: Parcel?) {
    let leftovers = lock.withLock { state.begin(with: parcel, keeping: record) }
    extendLifetime(leftovers)
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
  func answer(at seat: Int) -> Inbox.Answer {
    lock.withLock { state.next(at: seat) }
  }

  /// Returns the next element at a seat as soon as there is one.
  ///
  /// A task that is cancelled gives the seat up.
  func next(at seat: Int, isolation actor: isolated (any Actor)?) async -> Parcel? {
    if Task.isCancelled {
      leaveSeat(seat)
      return nil
    }
    switch answer(at: seat) {
    case .element(let parcel): return parcel
    case .finished: return nil
    case .nothingYet: break
    }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation(isolation: actor) { waiter in
        switch lock.withLock({ state.next(at: seat, for: waiter) }) {
        case .element(let parcel): waiter.resume(returning: parcel)
        case .finished: waiter.resume(returning: nil)
        case .nothingYet: break
        }
      }
    } onCancel: {
      leaveSeat(seat)
    }
  }
}
