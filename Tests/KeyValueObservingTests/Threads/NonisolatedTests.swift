import KeyValueObserving
import TestSupport
import Testing

@KeyValueObservable
private final class Tags {
  var tags: [Int] = []
  var name = ""
  var next: Tags?
}

extension AllTests {
  @Suite("Observations that belong to no actor")
  struct NonisolatedTests {
    /// `Tests/Refusals` has what does not compile.
    @Test(
      "P8, P40: with nil as isolation a @Sendable closure belongs to no actor, wherever it is made")
    @MainActor
    func everyFunction() throws {
      let object = Tags()
      let calls = Counter()
      let tokens = [
        object.observe(\.tags, isolation: nil) { _, _ in calls.increment() },
        try object.observe("tags", isolation: nil) { _, _ in calls.increment() },
        object.onChange(of: \.tags, isolation: nil) { _ in calls.increment() },
        object.onChange(of: \.tags, \.name, isolation: nil) { calls.increment() },
        try object.onChange("tags", "name", isolation: nil) { calls.increment() },
        object.observeElements(of: \.tags, isolation: nil) { _, _ in calls.increment() },
      ]
      let observers = [
        KeyValueObserver(source: object, keyPath: \.tags, options: [], isolation: nil) { _, _ in
          calls.increment()
        },
        try KeyValueObserver(source: object, keyPath: "tags", options: [], isolation: nil) { _, _ in
          calls.increment()
        },
      ]
      object.tags = [1]
      #expect(calls.value == 8)
      withExtendedLifetime((tokens, observers)) {}
    }

    @Test("P8, P40: such a closure is called on the thread of the change, one with an actor is not")
    @MainActor
    func thread() async {
      let node = SharedNode()
      let (direct, handedOver) = (Counter(), Counter())
      let tokens = [
        node.observe(\.value, isolation: nil) { _, _ in direct.increment() },
        node.observe(\.value) { _, _ in
          MainActor.assertIsolated()
          handedOver.increment()
        },
        node.observe(\.value, isolation: MainActor.shared) { _, _ in handedOver.increment() },
      ]
      let counts = await Task.detached {
        node.value = 1
        return direct.value
      }.value
      #expect(counts == 1)
      while handedOver.value < 2 { await Task.yield() }
      withExtendedLifetime(tokens) {}
    }
  }
}
