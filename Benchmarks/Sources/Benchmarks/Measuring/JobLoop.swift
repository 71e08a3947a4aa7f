import Dispatch
import Synchronization

/// Runs the jobs of an actor on the thread that waits for their results, so that they are measured
/// as all other code is.
final class JobLoop: SerialExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let count = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    count.signal()
  }

  /// Runs jobs, and waits for them, until a condition is true.
  func run(until isDone: () -> Bool) {
    while !isDone() {
      count.wait()
      let job = jobs.withLock { $0.removeFirst() }
      job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}
