import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
class Declared {
  var base = 1
  var other = 2
  var third = 3
  var partner: Declared?

  @KeyValueDependent(on: "partner.base")
  var viaPartner: Int { Hidden.value }
  @KeyValueDependent(on: "viaPartner")
  var chained: Int { Hidden.value + 1 }
  @KeyValueDependent(on: "right")
  var left = 0
  @KeyValueDependent(on: "left")
  var right = 0

  class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "hidden" ? ["base"] : []
  }
  var hidden: Int { Hidden.value }
}

@KeyValueObservable
class DeclaredSub: Declared {
  // It does not call super, and must not have to.
  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "hidden" ? ["other"] : []
  }
}

enum Hidden {
  nonisolated(unsafe) static var value = 0
}

@KeyValueObservable
private final class Notes {
  var base = 1
  var last = 0
  var other = 0
  weak var link: Notes?
  /// Keeps its value in an observable property, which is a change of that.
  var doubled: Int {
    last = base * 2
    return last
  }
  @KeyValueIgnored var draft: Notes?
  /// Lets go of what it no longer needs.
  var length: Int {
    draft = nil
    return base
  }
  @KeyValueIgnored var register: (() -> Any)?
  @KeyValueIgnored var registered: Any?
  /// Registers an observer before it computes the value.
  var prepared: Int {
    if registered == nil { registered = register?() }
    return base
  }
}

extension AllTests {
  @Suite("Dependent keys")
  struct DependentKeyTests {
    private let recorder = Recorder()

    @Test("P13, P22: a closure that ends while dependents are added removes no other entry")
    func endsWhileDependentsCome() {
      let recorder = Recorder()
      let boss = Person("Ann")
      let people = [Person("Bob", boss: boss), Person("Cy", boss: boss)]
      var newcomer: KeyValueObservation?
      var first: KeyValueObservation?
      first = boss.observe(\.name) { _, _ in
        // The dependents get more places, and then the first place among the observers is freed.
        newcomer = people[1].observe(\.bossName) { _, _ in }
        first = nil
      }
      let token = people[0].observe(
        \.bossName, options: .new, changeHandler: recorder.receives("boss"))
      boss.name = "Eve"
      #expect(recorder.take() == ["boss →Eve"])
      #expect(first == nil && newcomer != nil)
      token.invalidate()
    }

    @Test("P21: what a getter reads is what the key depends on, found anew each time")
    func foundByReading() {
      let person = Person("Ann", boss: Person("Bea"))
      let token = person.observe(
        \.bossName, options: [.new, .old], changeHandler: recorder.receives("·"))
      let former = person.boss!
      former.name = "Bo"
      person.boss = Person("Cid")
      former.name = "silent"
      person.boss?.name = "Cia"
      person.boss = nil
      person.age = 1
      #expect(recorder.take() == ["· Bea→Bo", "· Bo→Cid", "· Cid→Cia", "· Cia→nobody"])
      withExtendedLifetime(token) {}
    }

    @Test("P21: elements of collections are inputs like every other object")
    func collections() {
      let person = Person("Ann")
      let token = person.observe(\.staffNames, options: .new, changeHandler: recorder.receives("·"))
      let first = Person("a")
      person.staff.append(first)
      person.staff.append(Person("b"))
      first.name = "A"
      person.staff.removeFirst()
      first.name = "silent"
      #expect(
        recorder.take() == [
          #"· →["a"]"#, #"· →["a", "b"]"#, #"· →["A", "b"]"#, #"· →["b"]"#,
        ])
      withExtendedLifetime(token) {}
    }

    @Test("P21: weak intermediate objects are inputs, and so is their deallocation")
    func weakInputs() {
      let person = Person("Ann")
      var friend: Person? = Person("Flo")
      person.friend = friend
      let token = person.observe(\.friendName, options: .new, changeHandler: recorder.receives("·"))
      friend!.name = "Fay"
      friend = nil
      #expect(recorder.take() == ["· →Fay", "· →nil"])
      withExtendedLifetime(token) {}
    }

    @Test("P21: what cannot be seen is declared, and followed through paths and chains")
    func declared() throws {
      let subject = Declared()
      let typed = subject.observe(\.chained, changeHandler: recorder.receives("chained"))
      let string = try subject.observe("viaPartner", changeHandler: recorder.receives("via"))
      subject.partner = Declared()
      subject.partner?.base = 5
      #expect(recorder.take() == ["chained →", "via →", "chained →", "via →"])
      withExtendedLifetime((typed, string)) {}
    }

    @Test("P21: what a property declares counts on typed paths that lead to it or through it")
    func declaredOnPaths() {
      let library = Library()
      let tokens = [
        library.observe(\.shelf.label, changeHandler: recorder.receives("constant")),
        library.observe(\.other?.label, changeHandler: recorder.receives("chained")),
        library.observe(\.other!.label, changeHandler: recorder.receives("forced")),
        library.observe(\.current?.label, changeHandler: recorder.receives("computed")),
        library.observe(\.lent?.name, changeHandler: recorder.receives("through")),
      ]
      library.shelf.count = 1
      #expect(recorder.take() == ["constant →"])
      library.other?.count = 1
      #expect(recorder.take() == ["chained →", "forced →", "computed →"])
      library.loans = 1
      #expect(recorder.take() == ["through → path"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P26: behind a computed link that was nil the reasons are right from the first change on")
    func computedLinkAtFirstNil() {
      let library = Library()
      library.other = nil
      let tokens = [
        library.observe(\.current?.count, options: .new, changeHandler: recorder.receives("count")),
        library.observe(
          \.current?.next?.count, options: .new, changeHandler: recorder.receives("next")),
        library.observe(
          \.current?.doubled, options: .new, changeHandler: recorder.receives("doubled")),
      ]
      library.other = Shelf()
      #expect(recorder.take() == ["count →0 path", "next →nil path", "doubled →0 path"])
      library.other?.count = 1
      #expect(recorder.take() == ["count →1", "doubled →2"])
      library.other?.next = Shelf()
      #expect(recorder.take() == ["next →0 path"])
      library.other?.next?.count = 2
      #expect(recorder.take() == ["next →2"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P21: a constant may be declared to depend on what its object holds")
    func declaredForConstant() {
      let shelf = Shelf()
      let token = shelf.observe(\.book, options: .new) { _, change in
        self.recorder.write("book \(change.newValue?.name ?? "")")
      }
      shelf.book.name = "b"
      #expect(recorder.take() == ["book b"])
      withExtendedLifetime(token) {}
    }

    @Test("P21: declarations of a class and its superclasses are united without super")
    func united() {
      let subject = DeclaredSub()
      let token = subject.observe(\.hidden, changeHandler: recorder.receives("·"))
      subject.base = 2
      subject.other = 3
      subject.third = 4
      #expect(recorder.take() == ["· →", "· →"])
      withExtendedLifetime(token) {}
    }

    @Test("P21: a dependency that does not exist is reported when it is needed")
    func unknownDependency() {
      let reports = Diagnostics()
      let misspelt = Misspelt()
      let token = misspelt.observe(\.sum) { _, _ in }
      #expect(reports.take().first?.contains("'titel'") == true)
      withExtendedLifetime(token) {}
    }

    @Test("P22: chains and diamonds deliver each dependent key once for each change")
    func diamond() {
      let person = Person("a")
      let tokens = [
        person.observe(\.shout, options: [.new, .old], changeHandler: recorder.receives("shout")),
        person.observe(\.title, options: .new, changeHandler: recorder.receives("title")),
      ]
      person.name = "b"
      person.age = 1
      #expect(
        recorder.take() == [
          "shout A (0)a→B (0)b", "title →b (0)", "shout B (0)b→B (1)b", "title →b (1)",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P22: declarations in a circle end, and deliver each key once")
    func circle() {
      let subject = Declared()
      let tokens = [
        subject.observe(\.left, options: .new, changeHandler: recorder.receives("left")),
        subject.observe(\.right, options: .new, changeHandler: recorder.receives("right")),
      ]
      subject.left = 1
      #expect(recorder.take() == ["left →1", "right →0"])
      subject.right = 2
      #expect(recorder.take() == ["right →2", "left →1"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P23: a dependent of a collection changes as a setting, with values of its own getter")
    func dependentOfCollection() {
      let person = Person("a")
      var changes: [KeyValueChange<[String]>] = []
      let token = person.observe(\.staffNames, options: [.new, .old]) { changes.append($1) }
      person.staff.append(Person("x"))
      #expect(changes == [KeyValueChange(kind: .setting, newValue: ["x"], oldValue: [])])
      withExtendedLifetime(token) {}
    }

    @Test("P24: callbacks after a change see all new values, prior callbacks all old ones")
    func consistentModel() {
      let person = Person("a")
      func look(_ name: String) -> (Person, KeyValueChange<String>) -> Void {
        { person, change in
          self.recorder.write(
            "\(name) \(change.isPrior ? "prior" : "after") \(person.name) \(person.title)")
        }
      }
      let tokens = [
        person.observe(\.title, options: .prior, changeHandler: look("title")),
        person.observe(\.name, options: .prior, changeHandler: look("name")),
      ]
      person.name = "b"
      #expect(
        recorder.take() == [
          "name prior a a (0)", "title prior a a (0)", "name after b b (0)", "title after b b (0)",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P21: what observers read of a change that a getter makes is no input of the key")
    func observersInAGetter() {
      let notes = Notes()
      let tokens = [
        notes.observe(\.doubled, changeHandler: { _, _ in self.recorder.write("doubled") }),
        notes.observe(\.last, options: .prior) { notes, _ in _ = notes.other },
      ]
      notes.base = 2
      #expect(recorder.take() == ["doubled"])
      notes.other = 1
      #expect(recorder.take() == [])
      withExtendedLifetime(tokens) {}
    }

    @Test("P21: reads of an observer of a deallocation in a getter are no inputs of the key")
    func deallocationInAGetter() {
      let notes = Notes()
      notes.draft = Notes()
      let draft = KeyValueObserver(source: notes.draft!, keyPath: \.base, options: []) { _, _ in
        _ = notes.other
      }
      let token = notes.observe(\.length) { _, _ in self.recorder.write("length") }
      notes.other = 1
      #expect(recorder.take() == [])
      notes.base = 2
      #expect(recorder.take() == ["length"])
      withExtendedLifetime((draft, token)) {}
    }

    @Test(
      "P21: reads of a registration in a getter are no inputs of the key",
      arguments: [KeyValueObservation.Options.new, [.new, .initial], .distinct])
    func registeringInAGetter(options: KeyValueObservation.Options) throws {
      let target = Notes()
      let registrations: [() -> Any] = [
        { target.observe(\.last, options: options) { notes, _ in _ = notes.other } },
        {
          try! target.observe("self.last", options: options) { notes, _ in _ = notes.other } as Any
        },
        {
          KeyValueObserver(source: target, keyPath: \.link?.last, options: options) { _, _ in
            _ = target.other
          }
        },
        { try! target.onChange("link.last", "length") {} as Any },
        { target.values(of: \.last) },
      ]
      for register in registrations {
        let notes = Notes()
        notes.register = register
        let token = notes.observe(\.prepared) { _, _ in self.recorder.write("prepared") }
        target.last += 1
        target.other += 1
        target.link = notes
        #expect(recorder.take() == [])
        notes.base = 2
        #expect(recorder.take() == ["prepared"])
        withExtendedLifetime(token) {}
      }
    }

    @Test("P22: a path whose head is computed is rewired when its inputs change")
    func computedHead() throws {
      let node = Derived()
      let typed = node.observe(
        \.chosen?.name, options: .new, changeHandler: recorder.receives("typed"))
      let string = try node.observe(
        "chosen.name", options: .new, changeHandler: recorder.receives("string"))
      node.second = Person("s")
      node.useSecond = true
      node.second?.name = "S"
      node.first.name = "silent"
      #expect(
        recorder.take() == [
          "typed →s path", "string →s path", "typed →S", "string →S",
        ])
      withExtendedLifetime((typed, string)) {}
    }
  }
}

@KeyValueObservable
final class Misspelt {
  var title = ""
  @KeyValueDependent(on: "titel") var sum: Int { 1 }
}

@KeyValueObservable
private final class Shelf {
  @KeyValueDependent(on: "book.name") let book = Person("a")
  var count = 0
  var next: Shelf?
  var doubled: Int { count * 2 }
  @KeyValueDependent(on: "count") var label: String { "" }
}

@KeyValueObservable
private final class Library {
  let shelf = Shelf()
  var other: Shelf? = Shelf()
  var current: Shelf? { other }
  var loans = 0
  @KeyValueDependent(on: "loans") var lent: Person? { Person("l") }
}

@KeyValueObservable
final class Derived {
  let first = Person("f")
  var second: Person?
  var useSecond = false
  var chosen: Person? { useSecond ? second : first }
}
