internal import CKeyValueObserving
public import Synchronization

/// Whether a thread is handing events over, and whether others have left it some.
@usableFromInline
struct SerialTurn: ~Copyable, Sendable {
  /// 0: no thread hands events over; 1: one does; 2: one does, and events of other threads wait.
  @usableFromInline
  let state = Atomic<UInt8>(0)

  @usableFromInline
  init() {}

  /// Begins, unless a thread is at it.
  ///
  /// Returns whether it has begun.
  @inlinable
  func begin() -> Bool {
    state.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
  }

  /// Ends, unless events wait.
  ///
  /// Returns whether it has ended.
  @inlinable
  func end() -> Bool {
    state.compareExchange(expected: 1, desired: 0, ordering: .releasing).exchanged
  }

  /// Begins, or notes that an event waits, with the lock of those that wait held.
  func beginUnlessRunning() -> Bool {
    while !begin() {
      let (isNoted, found) = state.compareExchange(
        expected: 1, desired: 2, ordering: .acquiringAndReleasing)
      if isNoted || found == 2 { return false }
    }
    return true
  }

  /// Ends after events have waited, with the same lock held.
  func endLast() {
    kvo_end_of_critical_section()
    state.store(0, ordering: .releasing)
  }
}
