import CMeasuring
import Foundation

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

  // A race in which one thread had to wait for a processor measures who else was at work on the
  // machine, so it is run again. Threads that wait for each other are not disturbed but measured.
  func takeBatch() {
    var result = race(passes)
    for _ in 1..<RaceProbe.mostAttempts where result.wasDisturbed { result = race(passes) }
    samples.append(result.nanoseconds / Double(passes * threads))
  }

  /// After so many races a machine counts as too busy for one without a disturbance.
  private static var mostAttempts: Int { 30 }

  var measurement: Measurement { Measurement(samples) }

  func run(passes: Int) {
    _ = race(passes)
  }

  func close() {}

  private func race(_ passes: Int) -> RaceResult {
    let course = RaceCourse(threads: threads)
    for index in 0..<threads {
      let runner = Runner(index: index, lane: lane, passes: passes)
      Thread.detachNewThread { runner.run(on: course) }
    }
    return course.awaitFinish()
  }
}

/// One thread's part, made here and used there only.
private struct Runner: @unchecked Sendable {
  let index: Int
  let lane: () -> any Probe
  let passes: Int

  // A new thread often begins on the processor of the one before it. There the two take turns, and
  // the time of two threads is that of one.
  func run(on course: RaceCourse) {
    measuring_stay_on_processor(Int32(index))
    let probe = lane()
    probe.run(passes: 1000)
    // Before the start, because a thread that loses its processor there sets out too late.
    let preemptions = measuring_preemptions()
    course.awaitStart()
    let start = ContinuousClock.now
    probe.run(passes: passes)
    let end = ContinuousClock.now
    course.finish(from: start, to: end, wasDisturbed: measuring_preemptions() > preemptions)
    probe.close()
  }
}
