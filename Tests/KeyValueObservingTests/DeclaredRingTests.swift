import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

/// Has keys that declare each other as dependencies.
private final class Ring: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  var x: Int {
    get {
      keyValueRegistrar.access("x", of: self)
      return storedX
    }
    set {
      keyValueRegistrar.set(
        "x", of: self, to: newValue, read: { storedX }, write: { storedX = $0 })
    }
  }
  private var storedX = 0
  var low: Int { x + 1 }
  var high: Int { x + 2 }

  static func keyValueProperties() -> [KeyValueProperty] {
    [
      .stored("x", \Ring.x), .computed("low", \Ring.low, dependsOn: ["high", "x"]),
      .computed("high", \Ring.high, dependsOn: ["low", "x"]),
    ]
  }
}

extension AllTests {
  @Suite("Declared dependencies in a ring")
  struct DeclaredRingTests {
    @Test("P21, P22: keys that depend on each other are evaluated a finite number of times")
    func registeredInPrior() {
      let ring = Ring()
      let recorder = Recorder()
      var late: KeyValueObservation?
      let tokens = [
        ring.observe(\.high, options: [.old, .new], changeHandler: recorder.receives("high")),
        ring.observe(\.x, options: .prior) { ring, change in
          if change.isPrior, late == nil { late = ring.observe(\.low) { _, _ in } }
        },
      ]
      ring.x = 1
      #expect(recorder.take() == ["high 2→3"])
      ring.observationContext.checkInvariants()
      withExtendedLifetime((tokens, late)) {}
    }
  }
}
