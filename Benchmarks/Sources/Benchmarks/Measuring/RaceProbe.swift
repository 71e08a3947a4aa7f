import Foundation
import Synchronization

/// Times a loop that runs on several threads at once, with objects that each thread makes itself.
final class RaceProbe: Probe {
  private let threads: Int
  private let lane: () -> any Probe
  private var passes = 0
  private var samples: [Double] = []

  init(threads: Int, lane: @escaping () -> any Probe) {
    self.threads = threads
    self.lane = lane
  }

  func calibrate() {
    let probe = lane()
    probe.calibrate()
    let nanoseconds = Batch.target.nanoseconds
    probe.takeBatch()
    passes = max(1, Int(nanoseconds / probe.measurement.minimum))
    probe.close()
  }

  func takeBatch() {
    samples.append(race(passes) / Double(passes * threads))
  }

  var measurement: Measurement { Measurement(samples) }

  func run(passes: Int) {
    _ = race(passes)
  }

  func close() {}

  /// Returns the nanoseconds from the first start to the last finish.
  private func race(_ passes: Int) -> Double {
    let course = Course(threads: threads)
    for _ in 0..<threads {
      let runner = Runner(lane: lane, passes: passes)
      Thread.detachNewThread { runner.run(on: course) }
    }
    return course.awaitFinish()
  }
}

/// One thread's part, made here and used there only.
private struct Runner: @unchecked Sendable {
  let lane: () -> any Probe
  let passes: Int

  func run(on course: Course) {
    let probe = lane()
    probe.run(passes: 1000)
    course.awaitStart()
    let start = ContinuousClock.now
    probe.run(passes: passes)
    course.finish(from: start, to: .now)
    probe.close()
  }
}

/// Lets threads start together, and knows when all have finished.
private final class Course: Sendable {
  private struct Times {
    var finished = 0
    var start: ContinuousClock.Instant?
    var end: ContinuousClock.Instant?
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

  func finish(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
    times.withLock { times in
      times.start = min(times.start ?? start, start)
      times.end = max(times.end ?? end, end)
    }
    finished.signal()
  }

  func awaitFinish() -> Double {
    for _ in 0..<threads { finished.wait() }
    return times.withLock { times in
      guard let start = times.start, let end = times.end else { return 0 }
      return (end - start).nanoseconds
    }
  }
}
