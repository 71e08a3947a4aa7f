public import CKeyValueObserving
public import Synchronization

/// Mutual exclusion for the few nanoseconds in which the engine's state is read or changed.
///
/// No user code, no `deinit` of a user's object and no property access ever runs under it, so a
/// waiting thread spins and then yields. It is made of atomics that are compiled into this module,
/// because ThreadSanitizer on Linux does not see `Synchronization.Mutex`, and because taking and
/// releasing it is one locked instruction.
///
/// A thread of a higher priority may spin while one of a lower priority holds the lock and does not
/// run. It yields then, so that this lasts no longer than the other's wait for a processor.
@usableFromInline
package struct Lock: ~Copyable, Sendable {
  @usableFromInline
  let word = Atomic<UInt32>(0)

  @inlinable
  package init() {}

  // For those who keep values under it that a generic function would copy by way of their metadata.
  @inlinable
  package func lock() {
    if !tryLock() { lockContended() }
  }

  /// Takes the lock if it is free; otherwise returns false immediately.
  @inlinable
  func tryLock() -> Bool {
    word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
  }

  @inlinable
  package func unlock() {
    kvo_end_of_critical_section()
    word.store(0, ordering: .releasing)
  }

  package func withLock<Result>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }

  @usableFromInline
  @inline(never)
  func lockContended() {
    var attempts = 0
    repeat {
      while word.load(ordering: .relaxed) != 0 {
        attempts += 1
        if attempts > 40 { kvo_yield() }
      }
    } while !tryLock()
  }
}
