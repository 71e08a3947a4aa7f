import KeyValueObserving
import TestSupport
import Testing

@testable import KeyValueObservingCore

private final class Dial: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  var level = 0
  var reads = 0
  var doubled: Int {
    reads += 1
    keyValueRegistrar.access("level", of: self)
    return level * 2
  }
  var tripled: Int {
    keyValueRegistrar.access("level", of: self)
    return level * 3
  }
  static func keyValueProperties() -> [KeyValueProperty] {
    [
      .stored("level", \Dial.level), .computed("doubled", \Dial.doubled),
      .computed("tripled", \Dial.tripled),
    ]
  }
}

extension AllTests {
  /// A pair notifies the observers that the key had when the pair began.
  @Suite("Observers of a pair")
  struct PairObserverTests {
    private let dial = Dial()
    private let recorder = Recorder()

    @Test(
      "P13, P19: an observer belongs to the pairs that begin after its registration, open or not")
    func registeredBetweenPairs() {
      var late: KeyValueObservation?
      let token = dial.observe(\.level, options: .prior) { [recorder] dial, change in
        guard change.isPrior, late == nil else { return }
        late = dial.observe(
          \.level, options: [.old, .new], changeHandler: recorder.receives("late"))
        dial.willChangeValue(for: \.level)
      }
      dial.willChangeValue(for: \.level)
      dial.level = 1
      dial.didChangeValue(for: \.level)
      #expect(recorder.take() == ["late 0→1"], "of the pair that began last")
      dial.didChangeValue(for: \.level)
      #expect(recorder.take() == [], "of the pair that began before the registration")
      dial.observationContext.checkInvariants()
      withExtendedLifetime((token, late)) {}
    }

    @Test("P15, P19: a pair evaluates a computed key once, whatever has come to depend on the key")
    func evaluatesOnce() {
      let token = dial.observe(\.doubled, options: [.old, .new]) { _, _ in }
      dial.willChangeValue(for: \.level)
      let other = dial.observe(\.tripled) { _, _ in }
      dial.reads = 0
      dial.level = 1
      dial.didChangeValue(for: \.level)
      #expect(dial.reads == 1)
      withExtendedLifetime((token, other)) {}
    }

    @Test("P13, P19: the number of a pair begins anew after 16 million pairs of a key")
    func manyPairs() throws {
      let early = dial.observe(
        \.level, options: [.old, .new], changeHandler: recorder.receives("early"))
      let observedKey = try #require(
        dial.observationContext.observedKey(named: KeyName("level"))?.takeUnretainedValue())
      dial.willChangeValue(for: \.level)
      dial.observationContext.lock.withLock {
        for _ in 0..<KeyValueObservation.greatestPairEpoch { _ = observedKey.state.beginEpoch() }
      }
      #expect(observedKey.state.pairEpoch == KeyValueObservation.greatestPairEpoch)
      dial.level = 1
      dial.didChangeValue(for: \.level)
      #expect(recorder.take() == ["early 0→1"])
      for level in 2...3 {
        dial.willChangeValue(for: \.level)
        let late = dial.observe(
          \.level, options: [.old, .new], changeHandler: recorder.receives("late"))
        dial.level = level
        dial.didChangeValue(for: \.level)
        #expect(recorder.take() == ["early \(level - 1)→\(level)"])
        late.invalidate()
      }
      #expect(observedKey.state.pairEpoch == 2)
      dial.observationContext.checkInvariants()
      withExtendedLifetime(early) {}
    }

    @Test("P19: tasks that take turns complete each its own pair")
    @MainActor
    func tasks() async {
      let token = dial.observe(
        \.level, options: [.old, .new], changeHandler: recorder.receives("level"))
      final class Turns { var hasOtherBegun = false, hasFirstEnded = false }
      let turns = Turns()
      let other = Task { @MainActor in
        dial.willChangeValue(for: \.level)
        dial.level = 2
        turns.hasOtherBegun = true
        while !turns.hasFirstEnded { await Task.yield() }
        dial.didChangeValue(for: \.level)
      }
      dial.willChangeValue(for: \.level)
      dial.level = 1
      while !turns.hasOtherBegun { await Task.yield() }
      dial.didChangeValue(for: \.level)
      turns.hasFirstEnded = true
      await other.value
      #expect(recorder.take() == ["level 0→2", "level 1→2"])
      withExtendedLifetime(token) {}
    }
  }
}
