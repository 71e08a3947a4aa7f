import KeyValueObserving
import Synchronization

@testable import KeyValueObservingCore
import TestSupport

/// Receives the changes of one observation, on any thread, and checks for those that must not come.
final class Listener: Sendable {
  /// The notifications it received: changes, prior notifications, and the deallocation of its
  /// source.
  struct Count: Equatable, Sendable {
    var changes = 0
    var priors = 0
    var deallocations = 0
    /// The reason of the last change.
    var reason = KeyValueChangeReason.valueChanged
  }

  let receivesReasons: Bool
  private let world: World
  private let count = Guarded(Count())
  private let closure = GuardedWeak<Life>()
  private let hasEnded = Atomic<Bool>(false)
  /// The threads on which an end has returned, and those that have called since then.
  private let threads = Guarded(
    (ended: [UnsafeMutableRawPointer](), late: [UnsafeMutableRawPointer]()))
  private let reaction: Guarded<(@Sendable () -> Void)?>

  init(in world: World, receivesReasons: Bool, reaction: (@Sendable () -> Void)? = nil) {
    self.world = world
    self.receivesReasons = receivesReasons
    self.reaction = Guarded(reaction)
  }

  var received: Count { count.value }

  /// An object that its closure retains, which shows whether the closure is released (P32).
  func closureLife() -> Life {
    let life = world.census.birth(of: .closure)
    closure.value = life
    return life
  }

  var isKept: Bool { closure.value != nil }

  /// Does something in the first change that is received.
  func react(by reaction: @escaping @Sendable () -> Void) { self.reaction.exchange(reaction) }

  func forget() { reaction.exchange(nil) }

  func receive<Value>(_ change: KeyValueChange<Value>, _ life: Life) {
    if hasEnded.load(ordering: .acquiring) { noteLateCall() }
    let isDeallocation = change.reason == .sourceDeleted
    let before = count.withLock { count in
      let before = count
      if isDeallocation {
        count.deallocations += 1
      } else if change.isPrior {
        count.priors += 1
      } else {
        count.changes += 1
        count.reason = change.reason
      }
      return before
    }
    world.faults.expect(
      before.deallocations == 0, "P33: notified of something after the end of its source")
    if !isDeallocation, !change.isPrior, let reaction = reaction.exchange(nil) { reaction() }
    withExtendedLifetime(life) {}
  }

  /// Notes that an end has returned on this thread.
  func endReturned() {
    threads.withLock { $0.ended.append(ThreadState.identity) }
    hasEnded.store(true, ordering: .releasing)
  }

  /// A call that had begun may finish on another thread.
  ///
  /// On this one none may come, and on no thread a second one (P31).
  private func noteLateCall() {
    let thread = ThreadState.identity
    let isWrong = threads.withLock { threads in
      if threads.ended.contains(thread) || threads.late.contains(thread) { return true }
      threads.late.append(thread)
      return false
    }
    world.faults.expect(!isWrong, "P31: called after the end had returned")
  }
}
