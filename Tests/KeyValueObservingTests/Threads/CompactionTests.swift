import Foundation
import KeyValueObserving
import Synchronization
import Testing

@KeyValueObservable
private final class Shelf: Sendable {
  var count = 0
  var next: Shelf?
}

/// Lists of observers of which most have ended, while deliveries of other threads read them.
@Suite struct CompactionTests {
  private let shelf = Shelf()
  private let received = Received()
  /// More than a list keeps of those that have ended.
  private static let many = 200

  private final class Received: Sendable {
    private let changes = Mutex<[String]>([])

    func note(_ change: String) { changes.withLock { $0.append(change) } }

    func take() -> [String] {
      changes.withLock { changes in
        defer { changes = [] }
        return changes
      }
    }
  }

  /// Counts what closures capture that are not released.
  private final class Captured: Sendable {
    private let living: Counter

    init(countedBy living: Counter) {
      self.living = living
      living.increment()
    }

    deinit { living.decrement() }
  }

  /// A change that a thread is making, until it is released.
  private final class HeldChange: Sendable {
    private let hasBegun = DispatchSemaphore(value: 0)
    private let mayEnd = DispatchSemaphore(value: 0)
    private let isOver = DispatchSemaphore(value: 0)

    init(_ change: @escaping @Sendable (HeldChange) -> Void) {
      Thread.detachNewThread {
        change(self)
        self.isOver.signal()
      }
      hasBegun.wait()
    }

    /// Stays until `release()`.
    func hold() {
      hasBegun.signal()
      mayEnd.wait()
    }

    /// Lets the change end.
    func release() {
      mayEnd.signal()
      isOver.wait()
    }
  }

  /// Holds the changes of the count that are made on some threads in the handler of an observer.
  private final class Holder: Sendable {
    private let held = Mutex<HeldChange?>(nil)
    private let token = Mutex<KeyValueObservation?>(nil)

    /// - `behind`: Is called in the handler, when the change is released.
    init(_ shelf: Shelf, behind: @escaping @Sendable () -> Void = {}) {
      let observation = shelf.observe(\.count, isolation: nil) { [unowned self] _, _ in
        guard let change = held.withLock({ $0.take() }) else { return }
        change.hold()
        behind()
      }
      token.withLock { $0 = observation }
    }

    func makeChange(of shelf: Shelf) -> HeldChange {
      HeldChange { change in
        self.held.withLock { $0 = change }
        shelf.count += 1
      }
    }
  }

  /// Registers many observers that capture something.
  private func observeMany(
    _ keyPath: KeyPath<Shelf, Int> & Sendable = \.count, of shelf: Shelf? = nil,
    countedBy living: Counter = Counter()
  ) -> [KeyValueObservation] {
    (0..<Self.many).map { _ in
      let captured = Captured(countedBy: living)
      return (shelf ?? self.shelf).observe(keyPath, isolation: nil) { _, _ in
        withExtendedLifetime(captured) {}
      }
    }
  }

  private func observe(_ name: String) -> KeyValueObservation {
    shelf.observe(\.count, options: [.old, .new], isolation: nil) { [received] _, change in
      received.note("\(name) \(change.oldValue!)→\(change.newValue!)")
    }
  }

  @Test("P32: ended observers are released though deliveries of other threads always overlap")
  func release() {
    let holder = Holder(shelf)
    let living = Counter()
    var change = holder.makeChange(of: shelf)
    for _ in 0..<10 {
      _ = observeMany(countedBy: living)
      let next = holder.makeChange(of: shelf)
      change.release()
      change = next
    }
    #expect(living.value <= 3 * Self.many)
    change.release()
    #expect(living.value == 0)
  }

  @Test("P32: they are released behind a handler that sets the property again")
  func releaseBehindWaitingChange() {
    let holder = Holder(shelf) { [shelf] in shelf.count = 10 }
    let living = Counter()
    let others = holder.makeChange(of: shelf)
    _ = observeMany(countedBy: living)
    shelf.count = 2
    #expect(living.value == Self.many)
    others.release()
    #expect(living.value == 0)
  }

  @Test("P31: an observer that has ended is not called by a delivery from before a compaction")
  func end() {
    let holder = Holder(shelf)
    let ended = observe("ended")
    let token = observe("kept")
    let change = holder.makeChange(of: shelf)
    _ = observeMany()
    shelf.count = 2
    #expect(received.take() == ["ended 1→2", "kept 1→2"])
    ended.invalidate()
    change.release()
    #expect(received.take() == ["kept 0→1"])
    shelf.count = 3
    #expect(received.take() == ["kept 2→3"])
    withExtendedLifetime(token) {}
  }

  @Test("P39: a path that is registered behind a compaction follows a change from before it")
  func path() {
    let (former, next) = (Shelf(), Shelf())
    shelf.next = former
    let token = shelf.observe(\.next, isolation: nil) { _, _ in }
    var many = (0..<Self.many).map { _ in shelf.observe(\.next, isolation: nil) { _, _ in } }
    let change = HeldChange { [shelf] change in
      shelf.withMutation(of: \.next) {
        change.hold()
        shelf.next = next
      }
    }
    many = []
    shelf.next = former
    let path = shelf.observe(\.next?.count, options: .new, isolation: nil) { [received] _, change in
      received.note("\(change.newValue!!)")
    }
    change.release()
    next.count = 1
    former.count = 2
    #expect(received.take() == ["1"])
    withExtendedLifetime((token, path, many)) {}
  }

  @Test("P25: a path that a mutation block leads away stays silent behind a compaction in it")
  func pathLedAway() {
    let (former, next) = (Shelf(), Shelf())
    shelf.next = former
    let kept = former.observe(\.count, isolation: nil) { _, _ in }
    var many = observeMany(of: former)
    let path = shelf.observe(\.next?.count, options: .new, isolation: nil) { [received] _, change in
      received.note("\(change.newValue!!)")
    }
    former.withMutation(of: \.count) {
      former.count = 5
      shelf.next = next
      #expect(received.take() == ["0"])
      many = []
      onThread { former.count = 6 }
    }
    #expect(received.take() == [])
    withExtendedLifetime((kept, path, many)) {}
  }

  @Test("P13: an observer that a prior handler registers misses the change behind a compaction")
  func registeredInPriorHandler() {
    let tokens = Mutex<[KeyValueObservation]>([])
    let kept = observe("kept")
    let many = Mutex(observeMany())
    let isFirst = Atomic<Bool>(true)
    let prior = shelf.observe(\.count, options: .prior, isolation: nil) { shelf, _ in
      guard isFirst.exchange(false, ordering: .relaxed) else { return }
      many.withLock { $0 = [] }
      shelf.count = 1
      let late = observe("late")
      tokens.withLock { $0.append(late) }
    }
    shelf.count = 2
    #expect(received.take() == ["kept 0→1", "kept 1→2"])
    shelf.count = 3
    #expect(received.take() == ["kept 2→3", "late 2→3"])
    withExtendedLifetime((kept, prior)) {}
  }

  @Test("P53: a late observer starts from what it has found though other threads end observers")
  func lateObserver() {
    let holder = Holder(shelf)
    let kept = observe("kept")
    let change = holder.makeChange(of: shelf)
    _ = observeMany()
    var late: KeyValueObservation?
    withKeyValueTransaction {
      shelf.count = 2
      onThread { [shelf] in shelf.withMutation(of: \.count) {} }
      _ = received.take()
      late = observe("late")
      shelf.count = 3
    }
    #expect(received.take() == ["kept 1→3", "late 2→3"])
    change.release()
    withExtendedLifetime((kept, late)) {}
  }
}
