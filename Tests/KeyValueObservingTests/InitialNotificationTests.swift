import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  @Suite("Changes that an initial notification makes")
  struct InitialNotificationTests {
    private let recorder = Recorder()
    private let person = Person("Ann")

    /// Records when a handler begins and ends, and changes the person in the first notification.
    private func nesting<Value>(
      _ name: String = "·", upTo last: Int = 3
    ) -> (Person, KeyValueChange<Value>) -> Void {
      { [recorder] person, change in
        recorder.write(">\(name)", change)
        if person.age < last { person.age += 1 }
        recorder.write("<\(name)")
      }
    }

    @Test(
      "P11: a set of the property in an initial notification is delivered after it",
      arguments: [[], .distinct, .old] as [KeyValueObservation.Options])
    func property(options: KeyValueObservation.Options) {
      let token = person.observe(
        \.age, options: options.union([.initial, .new]), changeHandler: nesting(upTo: 2))
      let old = options.contains(.old) ? ["0", "1"] : ["", ""]
      #expect(
        recorder.take() == [">· →0", "<·", ">· \(old[0])→1", "<·", ">· \(old[1])→2", "<·"])
      person.observationContext.checkInvariants()
      withExtendedLifetime(token) {}
    }

    @Test("P11: the prior notification of such a set comes at once, before the value changes")
    func prior() {
      let token = person.observe(\.age, options: [.initial, .new, .prior]) { person, change in
        self.recorder.write(">", change)
        if !change.isPrior, person.age == 0 { person.age = 1 }
        self.recorder.write("<")
      }
      #expect(recorder.take() == ["> →0", "> → prior", "<", "<", "> →1", "<"])
      withExtendedLifetime(token) {}
    }

    @Test("P11: the notifications follow one another, however the property is observed")
    func surfaces() throws {
      let boss = Person("Eve")
      person.boss = boss
      let sets: (Int) -> Void = { if $0 < 3 { boss.age = $0 + 1 } }
      func expectOneByOne() {
        #expect(recorder.take() == ["> 0", "< 0", "> 1", "< 1", "> 2", "< 2", "> 3", "< 3"])
        boss.observationContext.checkInvariants()
        person.observationContext.checkInvariants()
        boss.age = 0
        #expect(recorder.take() == [])
      }
      func receive(_ value: Int) {
        recorder.write("> \(value)")
        sets(value)
        recorder.write("< \(value)")
      }
      let options: KeyValueObservation.Options = [.initial, .new]
      boss.observe(\.age, options: options) { receive($1.newValue!) }.invalidate()
      expectOneByOne()
      try boss.observe("age", options: options) { receive($1.newValue! as! Int) }.invalidate()
      expectOneByOne()
      person.observe(\.boss?.age, options: options) { receive($1.newValue!!) }.invalidate()
      expectOneByOne()
      try person.observe("boss.age", options: options) { receive($1.newValue! as! Int) }
        .invalidate()
      expectOneByOne()
      person.observe(\.boss!.declaredAge, options: options) { receive($1.newValue!) }.invalidate()
      expectOneByOne()
      boss.observe(\.declaredAge, options: options) { receive($1.newValue!) }.invalidate()
      expectOneByOne()
      KeyValueObserver(source: boss, keyPath: \.age) { change, _ in receive(change.newValue!) }
        .cancel()
      expectOneByOne()
      try KeyValueObserver(source: person, keyPath: "boss.age") { change, _ in
        receive(change.newValue! as! Int)
      }.cancel()
      expectOneByOne()
    }

    @Test("P11: a link that an initial notification replaces is a change after it")
    func link() {
      let token = person.observe(\.boss?.name, options: [.initial, .new, .old]) { person, change in
        self.recorder.write(">", change)
        if person.boss == nil {
          person.boss = Person("Eve")
          person.boss?.name = "Eva"
        }
        self.recorder.write("<")
      }
      #expect(
        recorder.take() == ["> →nil", "<", "> nil→Eve path", "<", "> Eve→Eva", "<"])
      person.boss?.name = "Ida"
      #expect(recorder.take() == ["> Eva→Ida", "<"])
      withExtendedLifetime(token) {}
    }

    @Test("P11: so it is where another path of the object is registered in that of the first")
    func pathInPath() {
      var inner: KeyValueObservation?
      let outer = person.observe(\.boss?.age, options: [.initial, .new]) { person, _ in
        if inner != nil { return }
        inner = person.observe(\.boss?.name, options: [.initial, .new, .old]) { person, change in
          self.recorder.write(">", change)
          if person.boss == nil { person.boss = Person("Eve") }
          self.recorder.write("<")
        }
      }
      #expect(recorder.take() == ["> →nil", "<", "> nil→Eve path", "<"])
      withExtendedLifetime((outer, inner)) {}
    }

    @Test(
      "P11: all observers of the property receive the change in one order, after the initial one")
    func others() {
      let first = person.observe(
        \.age, options: [.old, .new], changeHandler: recorder.receives("1"))
      let path = person.observe(\.title, options: .new, changeHandler: recorder.receives("title"))
      let second = person.observe(
        \.age, options: [.initial, .old, .new], changeHandler: nesting("2", upTo: 1))
      let third = person.observe(
        \.age, options: [.old, .new], changeHandler: recorder.receives("3"))
      #expect(
        recorder.take() == [
          ">2 →0", "<2", "1 0→1", ">2 0→1", "<2", "title →Ann (1)",
        ])
      withExtendedLifetime((first, path, second, third)) {}
    }

    @Test("P11: inside a delivery of the property, such a change waits for that as well")
    func insideDelivery() {
      var inner: KeyValueObservation?
      let first = person.observe(\.age, options: [.old, .new]) { person, change in
        self.recorder.write("1", change)
        if inner == nil {
          inner = person.observe(
            \.age, options: [.initial, .new], changeHandler: self.nesting("new", upTo: 2))
        }
      }
      let second = person.observe(
        \.age, options: [.old, .new], changeHandler: recorder.receives("2"))
      person.age = 1
      #expect(
        recorder.take() == [
          "1 0→1", ">new →1", "<new", "2 0→1", "1 1→2", "2 1→2", ">new →2", "<new",
        ])
      withExtendedLifetime((first, second, inner)) {}
    }

    @Test("P11, P12: other properties are delivered at once, and mutations in place after the end")
    func otherProperties() {
      let boss = Person("Eve")
      person.boss = boss
      let tags = person.observe(\.boss?.tags, options: [.initial, .new]) { person, change in
        self.recorder.write(">", change)
        if boss.tags.count < 2 {
          boss.tags.append("\(boss.tags.count)")
          boss.name += "!"
        }
        self.recorder.write("<")
      }
      #expect(
        recorder.take() == [
          "> →[]", "<", #"> →["0"]"#, "<", #"> →["0", "1"]"#, "<",
        ])
      let names = boss.observe(\.name, options: .new, changeHandler: recorder.receives("name"))
      let ages = boss.observe(\.age, options: [.initial, .new]) { boss, change in
        self.recorder.write(">", change)
        boss.name = "Eva"
        self.recorder.write("<")
      }
      #expect(recorder.take() == ["> →0", "name →Eva", "<"])
      withExtendedLifetime((tags, names, ages)) {}
    }

    @Test("P18: an initial notification that never stops setting is stopped")
    func loop() {
      let options: KeyValueObservation.Options = [.initial, .new]
      var count = 0
      let token = person.observe(\.age, options: options) { person, _ in
        count += 1
        person.age += 1
      }
      #expect(count > 90 && count < 200)
      person.observationContext.checkInvariants()
      withExtendedLifetime(token) {}
    }

    @Test("P3, P15: no dependent is evaluated for what is registered in an initial notification")
    func registeredInside() {
      let meter = Meter()
      let (total, tokens) = (meter.observe(\.total) { _, _ in }, Tokens())
      meter.reads = 0
      let level = meter.observe(\.level, options: .initial) { meter, _ in
        tokens.last = meter.observe(\.level, options: [.new, .distinct]) { _, _ in }
      }
      #expect(tokens.last != nil && meter.reads == 0)
      meter.level = 1
      #expect(meter.reads == 1)
      meter.observationContext.checkInvariants()
      withExtendedLifetime((total, tokens, level)) {}
    }

    @Test("P3, P9: distinct compares with the value that the initial notification had")
    func distinct() throws {
      func notify(_ gauge: DriftingGauge) {
        gauge.willChangeValue(for: \.level)
        gauge.didChangeValue(for: \.level)
      }
      let options: KeyValueObservation.Options = [.initial, .new, .distinct]
      let (gauge, other) = (DriftingGauge(), DriftingGauge())
      let tokens = [
        gauge.observe(\.level, options: options, changeHandler: recorder.receives("typed")),
        try other.observe("level", options: options, changeHandler: recorder.receives("string")),
      ]
      #expect(recorder.take() == ["typed →1", "string →1"])
      notify(gauge)
      notify(other)
      #expect(recorder.take() == [])
      withExtendedLifetime((tokens, gauge, other)) {}
    }

    @Test("P31: an observation that ends in its initial notification receives nothing after it")
    func ended() {
      let tokens = Tokens()
      for keyPath in ["age", "boss.age"] {
        person.boss = person
        let former = RegistrationWatch { token, _ in tokens.last = token }
        former.watch {
          tokens.kept = try? person.observe(keyPath, options: [.initial, .new]) { person, change in
            self.recorder.write(">", change)
            person.age += 1
            tokens.last?.invalidate()
            person.age += 1
          }
        }
        #expect(recorder.take().count == 1)
        person.observationContext.checkInvariants()
      }
      person.boss = nil
    }
  }
}

/// Has another value when it is read again, as if another thread had set it.
@KeyValueObservable
private final class DriftingGauge {
  @KeyValueIgnored var reads = 0
  var level: Int {
    reads += 1
    return reads == 1 ? 0 : 1
  }
}

/// Counts how often a computed value is read.
@KeyValueObservable
private final class Meter {
  var level = 0
  @KeyValueIgnored var reads = 0
  var total: Int {
    reads += 1
    return level
  }
}

private final class Tokens: @unchecked Sendable {  // used by one thread
  var last: KeyValueObservation?
  var kept: KeyValueObservation?
}

extension Person {
  fileprivate var declaredAge: Int { age }
}
