import Synchronization

/// Counts from any thread.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .sequentiallyConsistent) }

  func increment() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  func decrement() { count.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
}
