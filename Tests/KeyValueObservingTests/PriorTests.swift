import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

/// Counts how often the library reads a property.
private final class ReadCounter: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  private var storedValue = 0
  var readCount = 0
  static func keyValueProperties() -> [KeyValueProperty] {
    [.stored("value", \ReadCounter.value), .computed("half", \ReadCounter.half)]
  }

  var value: Int {
    get {
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access("value", of: self) }
      return storedValue
    }
    set {
      keyValueRegistrar.set(
        "value", of: self, to: newValue,
        read: {
          readCount += 1
          return storedValue
        },
        write: { storedValue = $0 })
    }
  }

  var half: Int { value / 2 }

  /// Sets the value, and returns how often the library has read it meanwhile.
  func reads(setting newValue: Int) -> Int {
    readCount = 0
    value = newValue
    return readCount
  }
}

/// Holds the only strong reference to a person.
private final class Holder {
  var person: Person?
  init(_ person: Person) { self.person = person }
}

extension AllTests {
  @Suite("Prior notifications")
  struct PriorTests {
    private let recorder = Recorder()

    @Test("P15: the old value is read once, with and without observers of prior notifications")
    func readOnce() {
      let counted = ReadCounter()
      var tokens = [counted.observe(\.value, options: .old, changeHandler: recorder.receives("1"))]
      #expect(counted.reads(setting: 1) == 1)
      tokens.append(counted.observe(\.value, options: .prior) { _, _ in })
      #expect(counted.reads(setting: 2) == 1)
      tokens.append(
        counted.observe(\.value, options: [.prior, .old], changeHandler: recorder.receives("2")))
      #expect(counted.reads(setting: 3) == 1)
      counted.readCount = 0
      counted.withMutation(of: \.value) { counted.value = 4 }
      #expect(counted.readCount == 0, "by its getter, which is not counted")
      #expect(
        recorder.take() == [
          "1 0→", "1 1→", "2 2→ prior", "1 2→", "2 2→", "2 3→ prior", "1 3→", "2 3→",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P11: the old value is the one before, whatever an observer sets that ends in its prior notification"
    )
    func endsAndSets() {
      let counted = ReadCounter()
      var token: KeyValueObservation?
      token = counted.observe(\.value, options: .prior) { counted, change in
        guard change.isPrior else { return }
        token?.invalidate()
        counted.value = 5
      }
      let stays = counted.observe(
        \.value, options: [.old, .new], changeHandler: recorder.receives("value"))
      counted.value = 9
      #expect(recorder.take() == ["value 0→5", "value 5→9"])
      withExtendedLifetime(stays) {}
    }

    @Test(
      "P11: prior notifications of a computed key have the value that the one before has caused")
    func priorsOfComputed() {
      let counted = ReadCounter()
      var isFirst = true
      let tokens = [
        counted.observe(\.half, options: .prior) { counted, _ in
          if exchange(&isFirst, with: false) { counted.value = 4 }
        },
        counted.observe(
          \.half, options: [.prior, .old, .new], changeHandler: recorder.receives("half")),
      ]
      counted.value = 20
      #expect(
        recorder.take() == [
          "half 0→ prior", "half 0→2", "half 2→ prior", "half 2→10",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P15: what a computed key is computed from is read for its own observers alone")
    func noPriorForInput() {
      let counted = ReadCounter()
      var tokens = [
        counted.observe(\.half, options: [.old, .new], changeHandler: recorder.receives("half"))
      ]
      #expect(counted.reads(setting: 2) == 0)
      tokens.append(counted.observe(\.value, options: .old) { _, _ in })
      #expect(counted.reads(setting: 4) == 1)
      #expect(requestsPriors(of: "value", of: counted) == false)
      #expect(recorder.take() == ["half 0→1", "half 1→2"])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P2, P38: a computed key that is observed already gets an observer of prior notifications")
    func laterPrior() {
      let person = Person("a", boss: Person("b"))
      var tokens = [
        person.observe(\.bossName, options: .new, changeHandler: recorder.receives("1"))
      ]
      person.boss?.name = "c"
      #expect(recorder.take() == ["1 →c"])
      tokens.append(
        person.observe(\.bossName, options: [.prior, .old], changeHandler: recorder.receives("2")))
      person.boss?.name = "d"
      #expect(recorder.take() == ["2 c→ prior", "1 →d", "2 c→"])
      // An input that is found later asks for them as well.
      person.boss = Person("e")
      person.boss?.name = "f"
      #expect(
        recorder.take() == ["2 d→ prior", "1 →e", "2 d→", "2 e→ prior", "1 →f", "2 e→"])
      tokens.forEach { $0.invalidate() }
      person.observationContext.checkInvariants()
      person.boss?.observationContext.checkInvariants()
      #expect(requestsPriors(of: "boss", of: person) == false)
    }

    /// Whether prior notifications of a key are requested.
    private func requestsPriors(of key: String, of subject: some KeyValueObservable) -> Bool? {
      let context = subject.observationContext
      return key.withKeyName { context.observedKey(named: $0) }?.takeUnretainedValue().state
        .needCounts.union.contains(.prior)
    }

    @Test(
      "P11, P24: an observer of prior notifications receives the old value that one before it has set",
      arguments: [false, true])
    func oldValueOfNextPrior(isComputed: Bool) {
      let person = Person("a")
      var isFirst = true
      let set = { (person: Person, isPrior: Bool) in
        guard isPrior, isFirst else { return }
        isFirst = false
        person.name = "inside"
      }
      let options: KeyValueObservation.Options = [.prior, .old, .new]
      let tokens =
        isComputed
        ? [
          person.observe(\.shout, options: .prior) { set($0, $1.isPrior) },
          person.observe(\.shout, options: options, changeHandler: recorder.receives("·")),
        ]
        : [
          person.observe(\.name, options: .prior) { set($0, $1.isPrior) },
          person.observe(\.name, options: options, changeHandler: recorder.receives("·")),
        ]
      person.name = "outside"
      let (old, inside, outside) =
        isComputed
        ? ("A (0)a", "INSIDE (0)inside", "OUTSIDE (0)outside") : ("a", "inside", "outside")
      #expect(
        recorder.take() == [
          "· \(old)→ prior", "· \(old)→\(inside)", "· \(inside)→ prior", "· \(inside)→\(outside)",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11, P35: an edit is planned anew for the next observer of prior notifications")
    func editForNextPrior() {
      let person = Person("a")
      person.tags = ["1", "2"]
      var isFirst = true
      let tokens = [
        person.observe(\.tags, options: .prior) { person, change in
          guard change.isPrior, isFirst else { return }
          isFirst = false
          person.tags = ["x", "y", "z"]
        },
        person.observe(
          \.tags, options: [.prior, .old, .new], changeHandler: recorder.receives("·")),
      ]
      #expect(person.mutableArrayValue(for: \.tags).removeLast() == "z")
      #expect(
        recorder.take() == [
          #"· ["1", "2"]→ prior"#, #"· ["1", "2"]→["x", "y", "z"]"#, #"· ["z"]→ removal [2] prior"#,
          #"· ["z"]→ removal [2]"#,
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P14: the start of a path that a prior callback releases lives until the change is delivered")
    func rootLives() {
      let boss = Person("1")
      let holder = Holder(Person("a", boss: boss))
      weak var weakPerson: Person?
      weakPerson = holder.person
      let tokens = [
        holder.person!.observe(\.boss?.name, options: .prior) { _, _ in holder.person = nil },
        holder.person!.observe(
          \.boss?.name, options: [.prior, .new], changeHandler: recorder.receives("·")),
      ]
      boss.name = "2"
      #expect(recorder.take() == ["· → prior", "· →2"])
      #expect(weakPerson == nil)
      withExtendedLifetime(tokens) {}
    }

    @Test("P14: the same for a change that waits, an edit that comes to nothing, and a pair")
    func rootLivesElsewhere() {
      let boss = Person("1")
      boss.tags = ["a"]
      func observe(_ drop: @escaping (Person) -> Void) -> (Holder, [KeyValueObservation]) {
        let holder = Holder(Person("root", boss: boss))
        var isFirst = true
        return (
          holder,
          [
            holder.person!.observe(\.boss?.tags, options: .prior) { _, change in
              guard change.isPrior, isFirst else { return }
              isFirst = false
              drop(boss)
              holder.person = nil
            },
            holder.person!.observe(
              \.boss?.tags, options: [.prior, .new], changeHandler: recorder.receives("·")),
          ]
        )
      }
      weak var weakPerson: Person?
      var isNested = false
      let nested = boss.observe(\.tags) { boss, _ in
        guard isNested else { return }
        isNested = false
        let (holder, tokens) = observe { _ in }
        weakPerson = holder.person
        boss.tags = ["b"]
        self.recorder.write("set")
        withExtendedLifetime(tokens) {}
      }
      isNested = true
      boss.tags = []
      #expect(recorder.take() == ["· → prior", "set"])
      #expect(weakPerson == nil)
      let (holder, tokens) = observe { $0.tags = [] }
      weakPerson = holder.person
      boss.mutableArrayValue(for: \.tags).removeAll()
      #expect(recorder.take() == ["· → prior", "· →[]"])
      #expect(weakPerson == nil)
      let (other, otherTokens) = observe { _ in }
      weakPerson = other.person
      boss.willChangeValue(for: \.tags)
      #expect(recorder.take() == ["· → prior"])
      #expect(weakPerson == nil, "a pair that may never be completed keeps nothing (P19)")
      boss.didChangeValue(for: \.tags)
      #expect(recorder.take() == [])
      boss.observationContext.checkInvariants()
      withExtendedLifetime((nested, tokens, otherTokens)) {}
    }
  }
}
