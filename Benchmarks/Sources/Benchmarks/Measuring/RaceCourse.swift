import Dispatch
import Synchronization

/// Lets threads start together, and knows when all have finished.
final class RaceCourse: Sendable {
  private struct Times {
    var start: ContinuousClock.Instant?
    var end: ContinuousClock.Instant?
    var wasDisturbed = false
  }

  private let threads: Int
  private let ready = Atomic<Int>(0)
  private let times = Mutex(Times())
  private let finished = DispatchSemaphore(value: 0)

  init(threads: Int) {
    self.threads = threads
  }

  func awaitStart() {
    ready.add(1, ordering: .acquiringAndReleasing)
    while ready.load(ordering: .acquiring) < threads {}
  }

  func finish(
    from start: ContinuousClock.Instant, to end: ContinuousClock.Instant, wasDisturbed: Bool
  ) {
    times.withLock { times in
      times.start = min(times.start ?? start, start)
      times.end = max(times.end ?? end, end)
      times.wasDisturbed = times.wasDisturbed || wasDisturbed
    }
    finished.signal()
  }

  func awaitFinish() -> RaceResult {
    for _ in 0..<threads { finished.wait() }
    return times.withLock { times in
      guard let start = times.start, let end = times.end else {
        return RaceResult(nanoseconds: 0, wasDisturbed: true)
      }
      return RaceResult(nanoseconds: (end - start).nanoseconds, wasDisturbed: times.wasDisturbed)
    }
  }
}

/// How a race of threads went.
struct RaceResult {
  /// From the first start to the last finish.
  let nanoseconds: Double
  /// Whether a thread that could run had no processor for a while.
  let wasDisturbed: Bool
}
