internal import CKeyValueObserving

/// The mutations in place that are under way in tasks, which may go on on any thread.
enum TaskMutations {
  /// Names a task.
  typealias Task = UnsafeMutableRawPointer

  /// Adds a mutation, and returns the one around it.
  static func begin(_ mutation: InPlaceMutation, in task: Task) -> InPlaceMutation? {
    kvo_task_mutation_began()
    return shard(of: task).exchangeInnermost(mutation, in: task)
  }

  /// Takes out the mutation that began last.
  static func end(_ mutation: InPlaceMutation, in task: Task) {
    extendLifetime(shard(of: task).exchangeInnermost(mutation.outer, in: task))
    kvo_task_mutation_ended()
  }

  /// The mutation that began last and is not over.
  static func innermost(in task: Task) -> InPlaceMutation? {
    kvo_has_task_mutations() ? shard(of: task).innermost(in: task) : nil
  }

  private static func shard(of task: Task) -> Shard {
    // A task is an object of some hundred bytes.
    shards[Int(bitPattern: task) >> 8 & (shards.count - 1)]
  }

  /// Several, so that tasks on different threads seldom wait for each other.
  private static let shards = (0..<16).map { _ in Shard() }

  private final class Shard: @unchecked Sendable {  // `mutations` is guarded by `lock`
    private let lock = Lock()
    private var mutations: [Task: InPlaceMutation] = [:]

    func innermost(in task: Task) -> InPlaceMutation? {
      lock.withLock { mutations[task] }
    }

    /// Returns the former one.
    func exchangeInnermost(_ mutation: InPlaceMutation?, in task: Task) -> InPlaceMutation? {
      lock.withLock {
        let former = mutations[task]
        mutations[task] = mutation
        return former
      }
    }
  }
}
