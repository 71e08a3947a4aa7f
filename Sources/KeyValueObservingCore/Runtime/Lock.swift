public import CKeyValueObserving
public import Synchronization

#if canImport(Darwin)
  /// Mutual exclusion for the few nanoseconds in which the engine's state is read or changed.
  ///
  /// No user code, no `deinit` of a user's object and no property access ever runs under it. On Apple's
  /// platforms it is an `os_unfair_lock`, which lends its holder the priority of the threads that wait.
  @usableFromInline
  package struct Lock: ~Copyable, Sendable {
    @usableFromInline
    let mutex = Mutex<Void>(())

    @inlinable
    package init() {}

    @inlinable
    package func lock() { mutex._unsafeLock() }

    /// Takes the lock if it is free; otherwise returns false immediately.
    @inlinable
    func tryLock() -> Bool { mutex._unsafeTryLock() }

    @inlinable
    package func unlock() {
      kvo_end_of_critical_section()
      mutex._unsafeUnlock()
    }
  }
#else
  /// Mutual exclusion for the few nanoseconds in which the engine's state is read or changed.
  ///
  /// No user code, no `deinit` of a user's object and no property access ever runs under it, so a waiting
  /// thread spins first. It is made of atomics that are compiled into this module, because ThreadSanitizer
  /// on Linux does not see `Synchronization.Mutex`, and because taking and releasing it is one locked
  /// instruction.
  ///
  /// A thread that still waits then yields, and after that sleeps in the kernel, each time for longer, up to
  /// a millisecond: a holder that does not run gets the processor, whatever the priorities are. The thread
  /// that releases the lock wakes no other one, because to find out whether one sleeps would take a second
  /// locked instruction each time.
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

    @usableFromInline
    @inline(never)
    func lockContended() {
      var attempts: UInt32 = 0
      repeat {
        while word.load(ordering: .relaxed) != 0 {
          attempts += 1
          if attempts > Lock.spinLimit { kvo_wait(attempts - Lock.spinLimit) }
        }
      } while !tryLock()
    }

    private static var spinLimit: UInt32 { 40 }
  }
#endif

extension Lock {
  package func withLock<Result: ~Copyable>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }
}
