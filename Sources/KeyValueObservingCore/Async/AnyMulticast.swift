/// Passes elements from the setters of a property to the tasks that wait for them.
///
/// The lock around the state. It is never held while a task is resumed or an element released.
final class AnyMulticast: @unchecked Sendable {  // `state` is guarded by `lock`
  typealias State = MulticastState

  private let lock = Lock()
  // Exclusive because the lock is held; checking it again would cost as much.
  @exclusivity(unchecked)
  private var state: State

  init(_ policy: ElementBuffer<AnyElement>.Policy, keepsLast: Bool) {
    state = State(policy, keepsLast: keepsLast)
  }

  // MARK: Sending

  /// Gives an element to every iterator.
  ///
  /// Returns its number if elements come from several threads.
  ///
  /// - `record`: How the element is kept for iterators that begin later.
  func send(_ element: AnyElement, keeping record: AnyElement?) -> Int? {
    let (deferred, number) = lock.withLock {
      let deferred = state.send(element, from: ThreadState.identity, keeping: record)
      return (deferred, state.numberOfSharedElement)
    }
    deferred.waiters.forEach { $0.resume(returning: element) }
    return number
  }

  /// Gives an element to every iterator, unless another one was sent after that with a number.
  func send(_ element: AnyElement, keeping record: AnyElement?, ifNothingFollowed number: Int) {
    let deferred = lock.withLock {
      state.isLast(number)
        ? state.send(element, from: ThreadState.identity, keeping: record) : State.DeferredWork()
    }
    deferred.waiters.forEach { $0.resume(returning: element) }
  }

  /// Lets iterators that begin later begin with the next element: there is no value meanwhile.
  func forgetLast() {
    let deferred = lock.withLock { state.forgetLast() }
    extendLifetime(deferred)
  }

  /// Puts an element in front of all others, before there is an iterator.
  func begin(with element: AnyElement, keeping record: AnyElement?) {
    let deferred = lock.withLock { state.begin(with: element, keeping: record) }
    extendLifetime(deferred)
  }

  /// Notes that nothing follows.
  func finish() {
    resumeWithNil(lock.withLock { state.finish() })
  }

  // MARK: Receiving

  func addIterator() -> Int {
    let (iterator, deferred) = lock.withLock { state.addIterator() }
    extendLifetime(deferred)
    return iterator
  }

  func removeIterator(_ iterator: Int) {
    resumeWithNil(lock.withLock { state.removeIterator(iterator) })
  }

  /// Notes that there will be no further iterators.
  func close() {
    resumeWithNil(lock.withLock { state.close() })
  }

  private func resumeWithNil(_ deferred: State.DeferredWork) {
    deferred.waiters.forEach { $0.resume(returning: nil) }
  }

  /// Returns the next element for an iterator without waiting.
  func next(for iterator: Int) -> IteratorBuffer.Answer {
    lock.withLock { state.next(for: iterator) }
  }

  /// Returns the next element for an iterator as soon as there is one.
  ///
  /// A task that is cancelled removes its iterator.
  func next(for iterator: Int, isolation actor: isolated (any Actor)?) async -> AnyElement? {
    if Task.isCancelled {
      removeIterator(iterator)
      return nil
    }
    switch next(for: iterator) {
    case .element(let element): return element
    case .finished: return nil
    case .nothingYet: break
    }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation(isolation: actor) { waiter in
        switch lock.withLock({ state.next(for: iterator, waiter: waiter) }) {
        case .element(let element): waiter.resume(returning: element)
        case .finished: waiter.resume(returning: nil)
        case .nothingYet: break
        }
      }
    } onCancel: {
      removeIterator(iterator)
    }
  }
}
