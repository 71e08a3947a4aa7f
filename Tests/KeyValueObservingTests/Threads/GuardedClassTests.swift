import KeyValueObserving
import TestSupport
import Testing

@testable import KeyValueObservingCore

/// Guarded by the macro: it is `Sendable` and has stored variables.
@KeyValueObservable
private final class Job: Sendable {
  enum State { case queued, running, finished }

  let id: Int
  var state = State.queued
  var progress = 0
  var log: [String] = []
  var note: String?
  weak var next: Job?
  private(set) var attempts = 0
  var isDone: Bool { state == .finished }

  init(id: Int, progress: Int = 0) {
    self.id = id
    self.progress = progress
  }

  func retry() { attempts += 1 }
}

extension AllTests {
  @Suite("A class that the macro guards")
  struct GuardedClassTests {
    private let recorder = Recorder()

    @Test(
      "P38: each set of a Sendable class from several threads replaces one value and is delivered")
    func setsFromThreads() async {
      let job = Job(id: 1)
      let (sets, threads) = (5_000, 4)
      let replaced = Guarded<[Int]>([])
      let token = job.observe(\.progress, options: [.old, .new], isolation: nil) {
        @Sendable job, change in
        replaced.withLock { $0.append(change.oldValue!) }
        // Reads under the same lock, which is not held here.
        _ = (job.progress, job.log, job.isDone)
      }
      await withTaskGroup { group in
        for thread in 0..<threads {
          group.addTask {
            for step in 1...sets {
              job.progress = thread * sets + step
              job.log = ["\(step)"]
              job.note = step.isMultiple(of: 2) ? nil : "odd"
              job.next = step.isMultiple(of: 2) ? nil : job
            }
          }
        }
      }
      // Every value that was set, and the initial one, was replaced by one other set, but for the last.
      #expect((replaced.value + [job.progress]).sorted() == Array(0...(sets * threads)))
      #expect(job.log == ["\(sets)"])
      withExtendedLifetime(token) {}
    }

    @Test("P39: threads that replace a guarded link leave observers at the current object")
    func replacesLinks() async {
      let (head, first, second) = (Job(id: 1), Job(id: 2), Job(id: 3))
      let received = Counter()
      let token = head.observe(\.next?.progress, isolation: nil) { @Sendable _, _ in
        received.increment()
      }
      await withTaskGroup { group in
        for job in [first, second] {
          group.addTask { for _ in 0..<500 { head.next = job } }
          group.addTask { for step in 0..<500 { job.progress = step } }
        }
      }
      let former = received.value
      head.next?.progress = -1
      (head.next === first ? second : first).progress = -2
      #expect(received.value == former + 1)
      withExtendedLifetime(token) {}
    }

    @Test("P11, P21: a callback of a guarded class may read and set every property")
    func callbacks() {
      let job = Job(id: 1, progress: 1)
      let tokens = [
        job.observe(
          \.progress, options: [.old, .new, .prior], changeHandler: recorder.receives("progress")),
        job.onChange(of: \.progress) { progress in
          if progress == 2 { job.progress = 3 }
          job.log.append("\(job.progress)")
        },
        job.observe(\.isDone, options: [.old, .new], changeHandler: recorder.receives("isDone")),
        job.observe(\.attempts, options: .new, changeHandler: recorder.receives("attempts")),
      ]
      job.progress = 2
      job.state = .finished
      job.retry()
      #expect(
        recorder.take() == [
          "progress 1→ prior", "progress 1→2", "progress 2→ prior", "progress 2→3",
          "isDone false→true", "attempts →1",
        ])
      #expect(job.log == ["3", "3"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P27: a weak property of a guarded class becomes nil with its object")
    func weak() throws {
      let job = Job(id: 1)
      var next: Job? = Job(id: 2)
      job.next = next
      let tokens = [
        job.observe(\.next?.note, options: .new, changeHandler: recorder.receives("note")),
        try job.observe(
          "next.progress", options: .new, changeHandler: recorder.receives("progress")),
      ]
      next?.note = "b"
      next?.progress = 5
      #expect(recorder.take() == ["note →b", "progress →5"])
      next = nil
      #expect(Set(recorder.take()) == ["note →nil path", "progress →nil path"])
      withExtendedLifetime((next, tokens)) {}
    }

    @Test("P35, P42: a guarded class takes edits by proxy and writes by key")
    func coding() throws {
      let job = Job(id: 1)
      let token = job.observe(
        \.log, options: [.old, .new], changeHandler: recorder.receives("log"))
      job.mutableArrayValue(for: \.log).append("a")
      try job.setValue(["b", "c"], forKey: "log")
      try job.setValue(7, forKey: "progress")
      #expect(recorder.take() == ["log →[\"a\"] insertion [0]", "log [\"a\"]→[\"b\", \"c\"]"])
      #expect(job.progress == 7)
      #expect(throws: KeyValueCodingError.self) { try job.setValue(1, forKey: "attempts") }
      withExtendedLifetime(token) {}
    }
  }
}
