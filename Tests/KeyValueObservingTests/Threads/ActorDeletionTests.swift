import KeyValueObserving
import Testing

/// An object that a handler captures.
private final class Captured {}

/// Holds an object that another thread releases.
private final class Owner: @unchecked Sendable {
  var shared: Shared? = Shared()

  /// Returns when another thread has set the value and released the object.
  func changeAndRelease() {
    onThread {
      self.shared?.value = 1
      self.shared = nil
    }
  }
}

@Suite @MainActor struct ActorDeletionTests {
  @Test(
    "P31, P40: nothing that waits for an actor is delivered once its observation is ended there")
  func endedBeforeDelivery() async {
    let owner = Owner()
    var values: [Int] = []
    let token = owner.shared!.observe(\.value, options: .new) { _, change in
      values.append(change.newValue!)
    }
    owner.changeAndRelease()
    token.invalidate()
    for _ in 0..<100 { await Task.yield() }
    #expect(values == [])
  }

  @Test("P31, P40: nor is it where the observation is ended on another thread")
  func endedElsewhere() async {
    let shared = Shared()
    var values: [Int] = []
    let token = shared.observe(\.value, options: .new) { _, change in
      values.append(change.newValue!)
    }
    onThread {
      shared.value = 1
      token.invalidate()
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(values == [])
  }

  @Test("P31, P33, P40: nor is the deletion of its source")
  func cancelledBeforeDeletion() async {
    let owner = Owner()
    var reasons: [KeyValueChangeReason] = []
    weak var captured: Captured?
    let observer: KeyValueObserver
    do {
      let kept = Captured()
      captured = kept
      observer = KeyValueObserver(
        source: owner.shared!, keyPath: \Shared.value, options: .new
      ) {
        reasons.append($1)
        withExtendedLifetime(kept) {}
      }
    }
    owner.changeAndRelease()
    observer.cancel()
    #expect(captured == nil)
    for _ in 0..<100 { await Task.yield() }
    #expect(reasons == [])
  }

  @Test("P33, P40: it is delivered where the observation is not ended")
  func deletion() async {
    let owner = Owner()
    var reasons: [KeyValueChangeReason] = []
    let observer = KeyValueObserver(
      source: owner.shared!, keyPath: \Shared.value, options: .new
    ) { reasons.append($1) }
    owner.changeAndRelease()
    for _ in 0..<100 { await Task.yield() }
    #expect(reasons == [.valueChanged, .sourceDeleted])
    withExtendedLifetime(observer) {}
  }
}
