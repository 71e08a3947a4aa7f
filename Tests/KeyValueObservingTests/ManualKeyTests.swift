import KeyValueObserving
import Testing

/// Computes properties from what the library cannot see, and notifies manually that it has changed.
@KeyValueObservable
private class Job {
  @KeyValueIgnored var stage = 0
  var isDone: Bool { stage == 2 }
  var isRunning: Bool { stage == 1 }
  @KeyValueDependent(on: "isDone") var summary: String { "\(stage)" }

  class func keyPathsForValuesAffectingIsDone() -> Set<String> { ["state"] }
  class func keyPathsForValuesAffectingIsRunning() -> Set<String> { ["self.state"] }
}

@KeyValueObservable
private final class Queue {
  var job: Job?
  @KeyValueIgnored var reads = 0

  @KeyValueDependent(on: "job.state")
  var isBusy: Bool {
    reads += 1
    return job?.stage == 1
  }
}

extension AllTests {
  @Suite("Keys that are notified manually and are no properties")
  struct ManualKeyTests {
    private let recorder = Recorder()
    private let reports = Diagnostics()

    private func observe(_ job: Job) -> [KeyValueObservation] {
      let options: KeyValueObservation.Options = [.old, .new]
      return [
        job.observe(\.isDone, options: options, changeHandler: recorder.receives("done")),
        job.observe(\.isRunning, options: options, changeHandler: recorder.receives("running")),
        job.observe(\.summary, options: options, changeHandler: recorder.receives("summary")),
      ]
    }

    @Test("P19, P21: a pair for a key that is no property notifies the keys that depend on it")
    func pair() {
      let job = Job()
      let tokens = observe(job)
      job.willChangeValue(forKey: "state")
      job.stage = 2
      #expect(recorder.take() == [])
      job.didChangeValue(forKey: "state")
      #expect(
        recorder.take().sorted()
          == ["done false→true", "running false→false", "summary 0→2"])
      #expect(reports.take() == [])
      withExtendedLifetime(tokens) {}
    }

    @Test("P17, P19, P21: so does a scope, once, also if it is left by an error")
    func scope() throws {
      let job = Job()
      let tokens = observe(job)
      let result = job.withMutation(forKey: "state") {
        job.stage = 1
        job.withMutation(forKey: "state") { job.stage = 2 }
        return "done"
      }
      #expect(result == "done")
      #expect(
        recorder.take().sorted() == ["done false→true", "running false→false", "summary 0→2"])
      #expect(throws: KeyValueCodingError.self) {
        try job.withMutation(forKey: "state") {
          job.stage = 1
          throw KeyValueCodingError.invalidKeyPath("", reason: .empty)
        }
      }
      #expect(
        recorder.take().sorted() == ["done true→false", "running false→true", "summary 2→1"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P2, P19, P21: a prior notification comes with the manual one")
    func prior() {
      let job = Job()
      let token = job.observe(
        \.isDone, options: [.old, .new, .prior], changeHandler: recorder.receives("done"))
      job.willChangeValue(forKey: "state")
      #expect(recorder.take() == ["done false→ prior"])
      job.stage = 2
      job.didChangeValue(forKey: "state")
      #expect(recorder.take() == ["done false→true"])
      withExtendedLifetime(token) {}
    }

    @Test(
      "P21, P25: a key of another object may be notified manually, as long as the object is the one"
    )
    func otherObject() {
      let queue = Queue()
      let former = Job()
      queue.job = former
      let token = queue.observe(
        \.isBusy, options: [.old, .new], changeHandler: recorder.receives("busy"))
      former.withMutation(forKey: "state") { former.stage = 1 }
      #expect(recorder.take() == ["busy false→true"])
      queue.job = Job()
      #expect(recorder.take() == ["busy true→false"])
      former.withMutation(forKey: "state") { former.stage = 2 }
      #expect(recorder.take() == [])
      #expect(reports.take() == [])
      withExtendedLifetime(token) {}
    }

    @Test(
      "P19, P21: without observers nothing happens, and a key on which none depends is reported")
    func unknown() {
      let job = Job()
      job.willChangeValue(forKey: "state")
      job.didChangeValue(forKey: "state")
      job.withMutation(forKey: "state") {}
      #expect(reports.take() == [])
      let tokens = observe(job)
      #expect(job.withMutation(forKey: "stage") { 1 } == 1)
      job.willChangeValue(forKey: "other")
      job.didChangeValue(forKey: "other")
      #expect(recorder.take() == [])
      #expect(reports.take().count == 3)
      withExtendedLifetime(tokens) {}
    }
  }
}
