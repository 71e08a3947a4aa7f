import Foundation
import KeyValueObserving
import Testing

/// Is set by another thread while it is read.
private final class RestlessNode: KeyValueObservable, @unchecked Sendable {
  let keyValueRegistrar = KeyValueRegistrar()
  private var storedValue = 0
  /// At which read from now on it is set to 1.
  var restlessRead = 0

  static func keyValueProperties() -> [KeyValueProperty] { [.stored("value", \RestlessNode.value)] }

  var value: Int {
    get {
      let value = storedValue
      restlessRead -= 1
      if restlessRead == 0 {
        let isSet = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
          self.value = 1
          isSet.signal()
        }
        isSet.wait()
      }
      return value
    }
    set {
      keyValueRegistrar.set(
        "value", of: self, to: newValue, read: { storedValue }, write: { storedValue = $0 })
    }
  }
}

private class Stone {}

@KeyValueObservable
private final class Gem: Stone {
  var name = "stone"
}

@KeyValueObservable
private final class Quarry {
  var stone: Stone?
  var next: Quarry?
}

extension AllTests {
  @Suite("Registering")
  struct RegisteringTests {
    private let recorder = Recorder()

    @Test("P9: distinct compares with the initial value that was received", arguments: 1...2)
    func distinctFromInitial(read: Int) throws {
      for isTyped in [true, false] {
        let node = RestlessNode()
        node.restlessRead = read
        let recorder = Recorder()
        let options: KeyValueObservation.Options = [.initial, .new, .distinct]
        let token =
          isTyped
          ? node.observe(
            \.value, options: options, changeHandler: recorder.receives("v"))
          : try node.observe(
            "value", options: options, changeHandler: recorder.receives("v"))
        node.value = 0
        #expect(recorder.take() == ["v →1", "v →0"])
        withExtendedLifetime(token) {}
      }
    }

    @Test("P1: a token can end the observation inside its initial change")
    func registersBeforeInitial() {
      let person = Person("Ann")
      var inner: KeyValueObservation?
      let token = person.observe(\.name, options: [.initial, .new]) { person, change in
        self.recorder.write("outer", change)
        if inner == nil {
          // Registered already, so this set is delivered, after the initial change (P11).
          inner = person.observe(
            \.age, options: .new, changeHandler: self.recorder.receives("inner"))
          person.name = "Anna"
          person.age = 1
        }
      }
      #expect(recorder.take() == ["outer →Ann", "inner →1", "outer →Anna"])
      withExtendedLifetime((token, inner)) {}
    }

    @Test("P1: a registration that throws leaves nothing behind")
    func throwingLeavesNothing() {
      let person = Person("Ann")
      #expect(throws: KeyValueCodingError.self) {
        _ = try person.onChange("name", "agee") { self.recorder.write("received") }
      }
      person.name = "Bob"
      #expect(recorder.take() == [])
    }

    @Test("P2: an optional property that is nil is present and nil in the change")
    func nilIsPresent() {
      let person = Person("Ann")
      var change: KeyValueChange<String?>?
      let token = person.observe(\.note, options: [.new, .old]) { change = $1 }
      person.note = "x"
      person.note = nil
      #expect(change?.newValue == .some(nil))
      #expect(change?.oldValue == .some("x"))
      token.invalidate()
      let silent = person.observe(\.note) { change = $1 }
      person.note = "y"
      #expect(change?.newValue == .none && change?.oldValue == .none)
      withExtendedLifetime(silent) {}
    }

    @Test("P3: initial through a nil link delivers a present nil, and never an old value")
    func initialThroughNil() {
      let person = Person("Ann")
      let token = person.observe(
        \.boss?.boss?.name, options: [.initial, .new, .old], changeHandler: recorder.receives("·"))
      #expect(recorder.take() == ["· →nil"])
      withExtendedLifetime(token) {}
    }

    @Test("P4: one closure registered twice is two observations")
    func twice() {
      let person = Person("Ann")
      let handler: (Person, KeyValueChange<String>) -> Void = recorder.receives("·")
      let first = person.observe(\.name, changeHandler: handler)
      let second = person.observe(\.name, changeHandler: handler)
      person.name = "a"
      #expect(recorder.take().count == 2)
      first.invalidate()
      person.name = "b"
      #expect(recorder.take().count == 1)
      second.invalidate()
      person.name = "c"
      #expect(recorder.take() == [])
    }

    @Test("P5: nothing on a path is retained")
    func retainsNothing() {
      var person: Person? = Person("Ann", boss: Person("Bea", boss: Person("Cid")))
      weak let weakPerson = person
      weak let weakBoss = person?.boss?.boss
      let token = person!.observe(\.boss?.boss?.name) { _, _ in }
      let computed = person!.observe(\.bossName) { _, _ in }
      person = nil
      #expect(weakPerson == nil && weakBoss == nil)
      withExtendedLifetime((token, computed)) {}
    }

    @Test("P6: the error names the nearest key, the place and the remedy")
    func errors() {
      let person = Person("Ann")
      func error(_ path: String) -> KeyValueCodingError? {
        #expect(throws: KeyValueCodingError.self) { _ = try person.observe(path) { _, _ in } }
      }
      #expect(error("nmae") == .undefinedKey("nmae", type: Person.self, suggestion: "name"))
      #expect(error("boss.agee") == .undefinedKey("agee", type: Person.self, suggestion: "age"))
      #expect(error("zzzzzz") == .undefinedKey("zzzzzz", type: Person.self, suggestion: nil))
      #expect(
        error("frame.size") == .notObservable(keyPath: "frame.size", key: "frame", type: Frame.self)
      )
      #expect(
        error("boss.name.count")
          == .notObservable(keyPath: "boss.name.count", key: "name", type: String.self))
      #expect(
        error("boss.agee")?.description == "Person has no key 'agee'. Did you mean 'age'?")
      for path in ["", ".", ".name", "name.", "boss..name", "self", "self.self", "@count"] {
        guard case .invalidKeyPath(path, _) = error(path) else {
          Issue.record("'\(path)' was not refused as invalid")
          continue
        }
      }
    }

    @Test("P6: self.name is name, also in the middle of a path")
    func selfComponent() throws {
      let person = Person("Ann", boss: Person("Bea"))
      let token = try person.observe(
        "self.boss.self.name", options: .new, changeHandler: recorder.receives("·"))
      person.boss?.name = "Bob"
      #expect(recorder.take() == ["· →Bob"])
      withExtendedLifetime(token) {}
    }

    @Test("P6: an unobservable object that arrives in a link ends the path, with one diagnostic")
    func unobservableArrives() throws {
      let reports = Diagnostics()
      let node = MacroNode()
      let token = try node.observe(
        "child.name", options: [.new, .old], changeHandler: recorder.receives("·"))
      node.child = 42
      #expect(recorder.take() == ["· nil→nil path"])
      let sentences = reports.take()
      #expect(sentences.count == 1)
      #expect(sentences.first?.contains("MacroNode.child holds a value") == true)
      let next = MacroNode()
      next.name = "n"
      node.child = next
      #expect(recorder.take() == ["· nil→n path"])
      withExtendedLifetime(token) {}
    }

    @Test("P6: an object that arrives without the key ends the path, with one diagnostic")
    func keylessArrives() throws {
      let reports = Diagnostics()
      let holder = ProtocolHolder()
      let token = try holder.observe(
        "link.age", options: .new, changeHandler: recorder.receives("·"))
      holder.link = Stranger()
      holder.link = Stranger()
      #expect(recorder.take() == ["· →nil path", "· →nil path"])
      let sentences = reports.take()
      #expect(sentences.count == 1)
      #expect(sentences.first?.contains("Stranger has no key 'age'") == true)
      holder.link = Person("a")
      #expect(recorder.take() == ["· →0 path"])
      withExtendedLifetime(token) {}
    }

    @Test("P6, P42: a string reaches what an object that arrives declares private")
    func privateArrives() throws {
      let reports = Diagnostics()
      let holder = ProtocolHolder()
      let tokens = [
        try holder.observe("link.secret", options: .new, changeHandler: recorder.receives("end")),
        try holder.observe(
          "link.hidden.name", options: .new, changeHandler: recorder.receives("way")),
      ]
      let stranger = Stranger()
      holder.link = stranger
      #expect(recorder.take() == ["end →7 path", "way →Bea path"])
      stranger.change()
      #expect(recorder.take() == ["end →8", "way →nil path"])
      #expect(reports.take().isEmpty)
      withExtendedLifetime(tokens) {}
    }

    @Test("P6, P42: no string reaches what a class lists as private")
    func listedAsPrivate() throws {
      let reports = Diagnostics()
      let holder = ProtocolHolder()
      let token = try holder.observe(
        "link.secret", options: .new, changeHandler: recorder.receives("end"))
      holder.link = Closed()
      #expect(recorder.take() == ["end →nil path"])
      #expect(reports.take().count == 1)
      #expect(throws: KeyValueCodingError.self) { try Closed().value(forKey: "secret") }
      token.invalidate()
    }

    @Test(
      "P6: a nil link of a class that is not observable is reported, since only a subclass can be")
    func unobservableClass() throws {
      let reports = Diagnostics()
      let quarry = Quarry()
      let tokens = [
        try quarry.observe("stone.name", options: .new, changeHandler: recorder.receives("·")),
        try quarry.observe(
          "next.stone.name", options: .new, changeHandler: recorder.receives("far")),
      ]
      let sentences = reports.take()
      #expect(sentences.count == 2)
      #expect(sentences.allSatisfy { $0.contains("'stone' is declared with the class Stone") })
      let gem = Gem()
      quarry.stone = gem
      gem.name = "ruby"
      #expect(recorder.take() == ["· →stone path", "· →ruby"])
      #expect(reports.take() == [])
      // The existing object is rejected.
      quarry.stone = Stone()
      _ = reports.take()
      #expect(throws: KeyValueCodingError.self) { try quarry.observe("stone.name") { _, _ in } }
      #expect(reports.take() == [])
      withExtendedLifetime(tokens) {}
    }

    @Test("P6: a nil link whose type is a protocol is accepted, it may hold an observable object")
    func protocolLink() throws {
      let holder = ProtocolHolder()
      let token = try holder.observe(
        "link.name", options: .new, changeHandler: recorder.receives("·"))
      holder.link = Person("a")
      #expect(recorder.take() == ["· →a path"])
      withExtendedLifetime(token) {}
    }

    @Test("P7: typed key paths are natural Swift, with optional chaining, and need no try")
    func naturalPaths() {
      let person = Person("Ann", boss: Person("Bea", boss: Person("Cid")))
      let tokens = [
        person.observe(
          \.boss?.boss?.name, options: .new, changeHandler: recorder.receives("chain")),
        person.observe(\.boss!.name, options: .new, changeHandler: recorder.receives("force")),
        person.observe(\.home.city, options: .new, changeHandler: recorder.receives("let")),
        person.observe(\.boss?.home.city, options: .new, changeHandler: recorder.receives("both")),
      ]
      person.boss?.boss?.name = "Cia"
      person.boss?.name = "Bob"
      person.home.city = "Oslo"
      person.boss?.home.city = "Bern"
      #expect(recorder.take() == ["chain →Cia", "force →Bob", "let →Oslo", "both →Bern"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P7: subclasses, annotated or not, are observed through their own key paths")
    func subclasses() {
      let puppy = Puppy()
      let tokens = [
        puppy.observe(\.legs, options: .new, changeHandler: recorder.receives("legs")),
        puppy.observe(\.trick, options: .new, changeHandler: recorder.receives("trick")),
        (puppy as Animal).observe(
          \.legs, options: .new, changeHandler: recorder.receives("animal")),
        (puppy as Dog).observe(
          \.sound, options: [.new, .old], changeHandler: recorder.receives("dog")),
      ]
      puppy.legs = 3
      puppy.trick = "roll"
      puppy.sound = "wuff"
      #expect(
        recorder.take() == ["legs →3", "animal →3", "trick →roll", "dog …!→wuff!"])
      withExtendedLifetime(tokens) {}
    }
  }
}

protocol Named: AnyObject {
  var name: String { get }
}

extension Person: Named {}

@KeyValueObservable
private final class Stranger: Named {
  var name = "s"
  private var secret = 7
  private var hidden: Person? = Person("Bea")

  func change() {
    secret += 1
    hidden = nil
  }
}

private final class Closed: Named, KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  let name = "c"
  private let secret = 7

  static func keyValueProperties() -> [KeyValueProperty] {
    [.constant("secret", \Closed.secret, isPrivate: true)]
  }
}

@KeyValueObservable
final class ProtocolHolder {
  var link: (any Named)?
}
