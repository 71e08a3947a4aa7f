import KeyValueObserving
import Synchronization
import Testing

/// Guards its state by hand, with a getter that does not call `access(_:of:)`.
@KeyValueObservable
private final class Job: Sendable {
  private let guarded = Mutex((isDone: false, count: 0))

  var state: Bool {
    get { guarded.withLock { $0.isDone } }
    set { withMutation(of: \.state) { guarded.withLock { $0.isDone = newValue } } }
  }
  var isDone: Bool { state }
  var isReady: Bool { true }
  @KeyValueDependent(on: "state") var isFinished: Bool { state }

  /// Written as it has to be.
  var count: Int {
    get {
      keyValueRegistrar.access("count", of: self)
      return guarded.withLock { $0.count }
    }
    set { withMutation(of: \.count) { guarded.withLock { $0.count = newValue } } }
  }
  var isPositive: Bool { count > 0 }

  /// Read-only, and notified manually.
  var half: Int { guarded.withLock { $0.count / 2 } }

  func add(_ amount: Int) {
    withMutation(of: \.half) {
      withMutation(of: \.count) { guarded.withLock { $0.count += amount } }
    }
  }

  func addInPairs(_ amount: Int) {
    willChangeValue(for: \.half)
    withMutation(of: \.count) { guarded.withLock { $0.count += amount } }
    didChangeValue(for: \.half)
  }
}

extension AllTests {
  @Suite("Keys whose changes nothing shows")
  struct UnseenKeyTests {
    private let diagnostics = Diagnostics()
    private let recorder = Recorder()

    @Test(
      "P7: a computed key that reads a property without access is reported when it changes, once")
    func reports() throws {
      let job = Job()
      let tokens = [
        job.observe(\.state, options: .new, changeHandler: recorder.receives("state")),
        job.observe(\.isDone, options: .new, changeHandler: recorder.receives("isDone")),
        try job.observe("isDone", options: .new, changeHandler: recorder.receives("string")),
      ]
      #expect(diagnostics.take() == [])
      job.state = true
      job.state = false
      #expect(
        diagnostics.take() == [
          "Job.isDone: the value changed with 'state' but no observer was notified, because the getter "
            + "of 'state' does not record that it is read. Call keyValueRegistrar.access(_:of:) in that "
            + "getter, or declare the dependency with @KeyValueDependent(on:)."
        ])
      #expect(recorder.take() == ["state →true", "state →false"])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P7, P21: a key that declares what it reads is notified, and one that does not change is silent"
    )
    func isSilent() {
      let job = Job()
      let tokens = [
        job.observe(\.isFinished, options: .new, changeHandler: recorder.receives("isFinished")),
        job.observe(\.isReady, options: .new, changeHandler: recorder.receives("isReady")),
        job.observe(\.isDone, options: .new, changeHandler: recorder.receives("isDone")),
      ]
      job.withMutation(of: \.isReady) {}
      job.state = false
      #expect(recorder.take() == ["isReady →true", "isFinished →false"])
      #expect(diagnostics.take() == [])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P19, P21: with access in the getter, what depends on a manually notified property is notified"
    )
    func access() {
      let job = Job()
      let tokens = [
        job.observe(\.count, options: [.old, .new], changeHandler: recorder.receives("count")),
        job.observe(
          \.isPositive, options: [.old, .new], changeHandler: recorder.receives("isPositive")),
      ]
      job.count = 1
      job.count += 1
      #expect(
        recorder.take() == [
          "count 0→1", "isPositive false→true", "count 1→2", "isPositive true→true",
        ])
      #expect(diagnostics.take() == [])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P7, P19: a read-only key that is notified manually, in a scope or by a pair, is not reported"
    )
    func manual() {
      let job = Job()
      let token = job.observe(
        \.half, options: [.old, .new], changeHandler: recorder.receives("half"))
      job.add(2)
      job.addInPairs(2)
      #expect(recorder.take() == ["half 0→1", "half 1→2"])
      #expect(diagnostics.take() == [])
      withExtendedLifetime(token) {}
    }
  }
}
