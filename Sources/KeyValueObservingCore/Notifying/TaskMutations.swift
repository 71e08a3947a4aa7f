internal import CKeyValueObserving

/// The mutations in place that are under way in tasks, which may go on on any thread.
enum TaskMutations {
  /// Names a task.
  typealias Task = UnsafeMutableRawPointer

  private static let lock = Lock()
  /// The mutation of each task that began last and is not over.
  ///
  /// Guarded by `lock`.
  nonisolated(unsafe) private static var mutations: [Task: InPlaceMutation] = [:]

  /// Adds a mutation, and returns the one around it.
  static func begin(_ mutation: InPlaceMutation, in task: Task) -> InPlaceMutation? {
    kvo_task_mutation_began()
    return lock.withLock { exchange(&mutations[task], with: mutation) }
  }

  /// Takes out the mutation that began last.
  static func end(_ mutation: InPlaceMutation, in task: Task) {
    extendLifetime(lock.withLock { exchange(&mutations[task], with: mutation.outer) })
    kvo_task_mutation_ended()
  }

  /// The mutation that began last and is not over.
  static func innermost(in task: Task) -> InPlaceMutation? {
    kvo_has_task_mutations() ? lock.withLock { mutations[task] } : nil
  }
}
