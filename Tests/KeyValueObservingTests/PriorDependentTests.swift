import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private final class Purse {
  var x = 0
  var y = 0
  var z = 0
  var tags: [Int] = []
  var sum: Int { x + y + z }
  var tagCount: Int { tags.count }
}

@KeyValueObservable
private final class CountingScale {
  var weight = 0
  @KeyValueIgnored var count = 0
  var double: Int {
    count += 1
    return 2 * weight
  }
  var source: CountingScale?
  var reflection: Int { source?.weight ?? 0 }
}

@KeyValueObservable
private final class Mirror {
  var x = 0
  var source: Mirror?
  var reflection: Int { source?.x ?? 0 }
}

/// Has a computed property whose getter records that it is read, of which no path knows that.
private protocol Weighing: KeyValueObservable {
  var double: Int { get }
  var next: Self? { get }
}

private final class Steelyard: Weighing {
  let keyValueRegistrar = KeyValueRegistrar()
  private var storedWeight = 0
  private var storedBonus = 0
  let next: Steelyard?

  init(_ next: Steelyard? = nil) { self.next = next }

  static func keyValueProperties() -> [KeyValueProperty] {
    [
      .stored("weight", \Steelyard.weight), .stored("bonus", \Steelyard.bonus),
      .computed("double", \Steelyard.double), .constant("next", \Steelyard.next),
    ]
  }

  var weight: Int {
    get {
      keyValueRegistrar.access("weight", of: self)
      return storedWeight
    }
    set {
      keyValueRegistrar.set(
        "weight", of: self, to: newValue, read: { storedWeight }, write: { storedWeight = $0 })
    }
  }

  var bonus: Int {
    get {
      keyValueRegistrar.access("bonus", of: self)
      return storedBonus
    }
    set {
      keyValueRegistrar.set(
        "bonus", of: self, to: newValue, read: { storedBonus }, write: { storedBonus = $0 })
    }
  }

  var double: Int {
    keyValueRegistrar.access("double", of: self)
    return 2 * weight + bonus
  }
}

extension Weighing {
  fileprivate func observeNext(
    _ options: KeyValueObservation.Options,
    _ handler: @escaping (Self, KeyValueChange<Int?>) -> Void
  ) -> KeyValueObservation {
    observe(\.next?.double, options: options, changeHandler: handler)
  }
}

extension AllTests {
  /// Dependents of a key while prior notifications of the key are sent, or a change of it is abandoned.
  @Suite("Dependents and prior notifications")
  struct PriorDependentTests {
    private let purse = Purse()
    private let recorder = Recorder()

    @Test("P11, P19: the first call of a pair does not drop a change that waits")
    func pairInCallback() {
      let last = Steelyard()
      let root = Steelyard(last)
      var isFirst = true
      let tokens = [
        root.observeNext([.old, .new]) { [recorder] _, change in
          recorder.write("path", change)
          guard isFirst else { return }
          isFirst = false
          last.bonus = 1
          last.willChangeValue(forKey: "weight")
        },
        last.observe(\.double, options: [.old, .new], changeHandler: recorder.receives("key")),
      ]
      last.weight = 1
      #expect(recorder.history.filter { $0.hasPrefix("path") } == ["path 0→2", "path 2→3"])
      #expect(recorder.history.filter { $0.hasPrefix("key") } == ["key 0→2", "key 2→3"])
      withExtendedLifetime((tokens, root)) {}
    }

    @Test("P11, P22: nor does a change that is abandoned")
    func abandonedInCallback() throws {
      let dictionary = KeyValueDictionary()
      let purse = purse
      var isFirst = true
      let token = purse.observe(\.sum, options: [.old, .new]) { [recorder] purse, change in
        recorder.write("sum", change)
        guard isFirst else { return }
        isFirst = false
        purse.y = 2
        purse.mutableArrayValue(for: \.tags).removeAll { _ in false }
        let outer = purse.observe(\.tags, options: .prior) { purse, change in
          if change.isPrior { purse.tags = [] }
        }
        purse.tags = [1]
        purse.mutableArrayValue(for: \.tags).removeLast()
        outer.invalidate()
      }
      purse.x = 1
      #expect(recorder.take() == ["sum 0→1", "sum 1→3"])
      withExtendedLifetime((token, dictionary)) {}
    }

    @Test("P32: a computed key whose last observer ends in a prior notification is released")
    func endsInPrior() throws {
      var token: KeyValueObservation?
      token = purse.observe(\.tagCount, options: .prior) { _, change in
        if change.isPrior { token?.invalidate() }
      }
      purse.tags.append(1)
      let observedKey = try #require(
        purse.observationContext.observedKey(named: KeyName("tagCount"))?.takeUnretainedValue())
      #expect(observedKey.state.pins == 0)
      purse.observationContext.checkInvariants()
    }

    @Test(
      "P13: an observer that is registered in a prior notification receives no change of a dependent"
    )
    func registeredInPrior() {
      var late: KeyValueObservation?
      let tokens = [
        purse.observe(\.sum, options: [.old, .new], changeHandler: recorder.receives("early")),
        purse.observe(\.x, options: .prior) { [recorder] purse, change in
          guard change.isPrior, late == nil else { return }
          late = purse.observe(
            \.sum, options: [.old, .new], changeHandler: recorder.receives("late"))
        },
      ]
      purse.x = 1
      #expect(recorder.take() == ["early 0→1"])
      purse.x = 2
      #expect(recorder.take().sorted() == ["early 1→2", "late 1→2"])
      withExtendedLifetime((tokens, late)) {}
    }

    @Test("P13: nor does it where the dependent has left the input in between and come back")
    func registeredAfterMoving() {
      let source = Mirror()
      let mirror = Mirror()
      mirror.source = source
      var late: KeyValueObservation?
      let tokens = [
        mirror.observe(
          \.reflection, options: [.old, .new], changeHandler: recorder.receives("early")),
        source.observe(\.x, options: .prior) { [recorder] source, change in
          guard change.isPrior, late == nil else { return }
          mirror.source = nil
          mirror.source = source
          late = mirror.observe(
            \.reflection, options: [.old, .new], changeHandler: recorder.receives("late"))
        },
      ]
      source.x = 1
      #expect(recorder.take() == ["early 0→0", "early 0→0", "early 0→1"])
      source.x = 2
      #expect(recorder.take() == ["early 1→2", "late 1→2"])
      for object in [source, mirror] { object.observationContext.checkInvariants() }
      mirror.source = nil
      withExtendedLifetime((tokens, late)) {}
    }

    @Test("P13, P19: the same for a pair")
    func registeredInPriorOfPair() {
      var late: KeyValueObservation?
      let tokens = [
        purse.observe(\.sum, options: [.old, .new], changeHandler: recorder.receives("early")),
        purse.observe(\.x, options: .prior) { [recorder] purse, change in
          guard change.isPrior, late == nil else { return }
          late = purse.observe(
            \.sum, options: [.old, .new], changeHandler: recorder.receives("late"))
        },
      ]
      purse.willChangeValue(for: \.x)
      purse.didChangeValue(for: \.x)
      #expect(recorder.take() == ["early 0→0"])
      withExtendedLifetime((tokens, late)) {}
    }

    @Test(
      "P2, P11: a prior notification that changes the input changes the old value of a dependent")
    func changedInPrior() {
      var isFirst = true
      let tokens = [
        purse.observe(\.sum, options: [.old, .new], changeHandler: recorder.receives("sum")),
        purse.observe(\.x, options: .prior) { purse, change in
          guard change.isPrior, isFirst else { return }
          isFirst = false
          purse.y = 5
        },
      ]
      purse.x = 1
      #expect(recorder.take() == ["sum 0→5", "sum 5→6"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P15: a getter is evaluated once after prior notifications that attach another dependent")
    func oneEvaluation() {
      let scale = CountingScale()
      let mirror = CountingScale()
      let tokens = [
        scale.observe(\.double, options: .new, changeHandler: recorder.receives("double")),
        mirror.observe(\.reflection, options: .new, changeHandler: recorder.receives("mirror")),
        scale.observe(\.weight, options: .prior) { scale, change in
          if change.isPrior { mirror.source = scale }
        },
      ]
      mirror.source = nil
      _ = recorder.take()
      scale.count = 0
      scale.weight = 1
      #expect(recorder.take() == ["mirror →0", "double →2", "mirror →1"])
      #expect(scale.count == 1)
      mirror.source = nil
      withExtendedLifetime(tokens) {}
    }

    @Test("P2, P22: a path that reads a computed key and its input receives one prior notification")
    func onePrior() {
      let last = Steelyard()
      let root = Steelyard(last)
      let options: KeyValueObservation.Options = [.old, .new, .prior]
      let tokens = [
        last.observe(\.double, options: options, changeHandler: recorder.receives("key")),
        root.observeNext(options, recorder.receives("path")),
      ]
      last.weight = 3
      last.weight = 4
      let received = recorder.history.filter { $0.hasPrefix("path") }
      #expect(received.filter { $0.hasSuffix("prior") }.count == 2, "\(received)")
      #expect(received.count == 4, "\(received)")
      withExtendedLifetime((tokens, root)) {}
    }
  }
}
