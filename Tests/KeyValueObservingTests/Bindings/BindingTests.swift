import KeyValueObserving
import Testing

@KeyValueObservable
private final class Guest {
  var name = "a"
  var age = 1
  var tags: [String] = []
  var friend: Guest?
  var nickname: String?
  var celsius = 0.0
  var total: Int { age * 10 }
  let id = 7
  weak var owner: Guest?
}

@KeyValueObservable
private final class Textbox {
  var text = ""
  var number = 0
  var list: [String] = []
  private var storedLevel = 0
  var level: Int {
    get { storedLevel }
    set { storedLevel = min(newValue, 10) }
  }
}

@KeyValueObservable
private final class Quarrel {
  var left = 0
  var right = 0 {
    didSet { if right != left + 1 { left = right } }
  }
}

@KeyValueObservable
private final class Restless {
  var value = 0 {
    didSet { peer?.value = value + 1 }
  }
  @KeyValueIgnored weak var peer: Restless?
}

@Suite struct Bindings {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]

  @Test("P63: the second side takes the value of the first, and then each that of the other")
  func equal() {
    let (person, field) = (Guest(), Textbox())
    let binding = person.bind(\.name, to: field, \.text)
    #expect(field.text == "a")
    person.name = "b"
    #expect(field.text == "b")
    field.text = "c"
    #expect(person.name == "c")
    binding.invalidate()
    person.name = "d"
    #expect(field.text == "c")
    #expect(!binding.isActive)
  }

  @Test("P63: a one-way binding writes its second side only, also from a computed property")
  func oneWay() {
    let (person, field) = (Guest(), Textbox())
    let binding = person.bind(\.total, to: field, \.number, .oneWay)
    #expect(field.number == 10)
    person.age = 2
    #expect(field.number == 20)
    field.number = 5
    #expect(person.age == 2)
    person.age = 3
    #expect(field.number == 30)
    withExtendedLifetime(binding) {}
  }

  @Test("P64: both sides are equal before the first observer is called, and a set is one change")
  func oneChange() {
    let (person, field) = (Guest(), Textbox())
    let binding = person.bind(\.name, to: field, \.text)
    let tokens = [
      person.observe(\.name, options: [.old, .new, .prior]) { person, change in
        recorder.write(
          "name \(change.oldValue!)→\(change.newValue ?? "") \(person.name) \(field.text)")
      },
      field.observe(\.text, options: options) { field, change in
        recorder.write("text \(change.oldValue!)→\(change.newValue!) \(person.name) \(field.text)")
      },
    ]
    field.text = "b"
    #expect(recorder.take() == ["name a→ a b", "text a→b b b", "name a→b b b"])
    person.name = "c"
    #expect(recorder.take() == ["name b→ b b", "name b→c c c", "text b→c c c"])
    withExtendedLifetime((tokens, binding)) {}
  }

  @Test("P64: in a transaction a binding writes at its end, and not after a rollback")
  func transaction() {
    let (person, field) = (Guest(), Textbox())
    let binding = person.bind(\.name, to: field, \.text)
    let token = field.observe(\.text, options: options, changeHandler: recorder.receives("text"))
    withKeyValueTransaction {
      person.name = "b"
      #expect(field.text == "a")
      person.name = "c"
    }
    #expect(recorder.take() == ["text a→c"])
    try? withKeyValueTransaction {
      person.name = "d"
      throw CancellationError()
    }
    #expect(field.text == "c")
    #expect(recorder.take() == [])
    withExtendedLifetime((token, binding)) {}
  }

  @Test("P64: an undo takes back both sides as they were")
  func undo() throws {
    let (person, field) = (Guest(), Textbox())
    let binding = person.bind(\.name, to: field, \.text)
    let history = KeyValueHistory(of: person)
    history.record(field)
    person.name = "b"
    try history.undo()
    #expect(person.name == "a")
    #expect(field.text == "a")
    #expect(!history.canUndo)
    try history.redo()
    #expect(person.name == "b")
    #expect(field.text == "b")
    withExtendedLifetime(binding) {}
  }

  @Test("P65: if both sides were set, the later set wins", arguments: [false, true])
  func later(isFieldFirst: Bool) {
    let (person, field) = (Guest(), Textbox())
    let binding = person.bind(\.name, to: field, \.text)
    withKeyValueTransaction {
      if isFieldFirst { field.text = "field" }
      person.name = "person"
      if !isFieldFirst { field.text = "field" }
    }
    #expect(person.name == (isFieldFirst ? "person" : "field"))
    #expect(field.text == person.name)
    withExtendedLifetime(binding) {}
  }

  @Test("P65: rings and chains end, and all sides are equal")
  func rings() {
    let people = (0..<6).map { _ in Guest() }
    let bindings = (0..<6).map { people[$0].bind(\.age, to: people[($0 + 1) % 6], \.age) }
    let tokens = people.map {
      $0.observe(\.age, options: options, changeHandler: recorder.receives("age"))
    }
    people[3].age = 9
    #expect(people.map(\.age) == Array(repeating: 9, count: 6))
    #expect(recorder.take() == Array(repeating: "age 1→9", count: 6))
    withKeyValueTransaction {
      people[1].age = 2
      people[4].age = 3
    }
    #expect(people.map(\.age) == Array(repeating: 3, count: 6))
    withExtendedLifetime((bindings, tokens)) {}
  }

  @Test("P65: a setter that stores another value is a set of its own, and goes back")
  func clamp() {
    let (person, field) = (Guest(), Textbox())
    let binding = person.bind(\.age, to: field, \.level)
    let token = person.observe(\.age, options: options, changeHandler: recorder.receives("age"))
    person.age = 50
    #expect(field.level == 10)
    #expect(person.age == 10)
    #expect(recorder.take() == ["age 1→10"])
    person.age = 60
    #expect(person.age == 10)
    withExtendedLifetime((binding, token)) {}
  }

  @Test("P65: a `didSet` that keeps setting the other side ends, with one diagnostic")
  func restless() {
    let (one, other) = (Restless(), Restless())
    one.peer = other
    let binding = one.bind(\.value, to: other, \.value)
    let reported = reportedIdentifiers { one.value = 5 }
    #expect(reported == ["nonConvergence"])
    let quarrel = Quarrel()
    let inner = quarrel.bind(\.left, to: quarrel, \.right)
    quarrel.left = 4
    #expect(quarrel.left == quarrel.right)
    withExtendedLifetime((binding, inner)) {}
  }

  @Test("P66: what cannot be converted is not written, and one diagnostic names it")
  func converters() {
    let (person, field) = (Guest(), Textbox())
    let binding = person.bind(
      \.celsius, to: field, \.text,
      converting: KeyValueConverter(to: { "\($0)" }, from: { Double($0) }))
    #expect(field.text == "0.0")
    field.text = "12"
    #expect(person.celsius == 12)
    #expect(field.text == "12")
    let reported = reportedIdentifiers {
      field.text = "warm"
      field.text = "hot"
    }
    #expect(reported == ["unconvertedBoundValue"])
    #expect(person.celsius == 12)
    person.celsius = 3
    #expect(field.text == "3.0")
    withExtendedLifetime(binding) {}
  }

  @Test("P66: keys as strings are converted as key-value coding does")
  func strings() throws {
    let (person, other) = (Guest(), Guest())
    let binding = try person.bind("age", to: other, "celsius")
    #expect(other.celsius == 1)
    other.celsius = 42
    #expect(person.age == 42)
    #expect(reportedIdentifiers { other.celsius = 1.5 } == ["unconvertedBoundValue"])
    #expect(person.age == 42)
    person.age = 5
    #expect(other.celsius == 5)
    withExtendedLifetime(binding) {}
  }

  @Test("P67: a path follows its objects, and where one is nil nothing is written")
  func paths() throws {
    let (person, field) = (Guest(), Textbox())
    field.text = "untouched"
    let binding = try person.bind(\.friend?.name, to: field, \.text)
    #expect(field.text == "untouched")
    field.text = "kept"
    let friend = Guest()
    person.friend = friend
    #expect(field.text == "a")
    field.text = "b"
    #expect(friend.name == "b")
    let other = Guest()
    other.name = "c"
    person.friend = other
    #expect(field.text == "c")
    #expect(friend.name == "b")
    friend.name = "d"
    #expect(field.text == "c")
    person.friend = nil
    #expect(field.text == "c")
    let keys = try person.bind("friend.age", to: field, "number")
    person.friend = friend
    friend.age = 77
    #expect(field.number == 77)
    #expect(field.text == "d")
    withExtendedLifetime((binding, keys)) {}
  }

  @Test("P67: neither object is retained, and the binding ends with its token")
  func lifetime() {
    weak var gone: Guest?
    let field = Textbox()
    var binding: KeyValueBinding?
    do {
      let person = Guest()
      gone = person
      binding = person.bind(\.name, to: field, \.text)
    }
    #expect(gone == nil)
    field.text = "b"
    let person = Guest()
    binding = person.bind(\.name, to: field, \.text)
    binding = nil
    person.name = "c"
    #expect(field.text == "a")
    var tokens: Set<KeyValueObservation> = []
    person.bind(\.name, to: field, \.text).store(in: &tokens)
    person.name = "d"
    #expect(field.text == "d")
    tokens = []
    person.name = "e"
    #expect(field.text == "d")
    withExtendedLifetime(binding) {}
  }

  @Test("P67: a read-only side throws, and a property bound to itself is reported")
  func misuse() throws {
    let (person, field) = (Guest(), Textbox())
    #expect(throws: KeyValueCodingError.readOnly(type: Guest.self, key: "total")) {
      _ = try person.bind("total", to: field, "number")
    }
    #expect(throws: KeyValueCodingError.self) { _ = try person.bind("nmae", to: field, "text") }
    let identifiers = reportedIdentifiers { _ = person.bind(\.name, to: person, \.name) }
    #expect(identifiers == ["bindingToItself"])
  }

  @Test("P67: the deallocation of a weak object on a path is a change of that side")
  func weakObject() throws {
    let person = Guest()
    let field = Textbox()
    var owner: Guest? = Guest()
    person.owner = owner
    let binding = try person.bind("owner.name", to: field, "text")
    owner?.name = "o"
    #expect(field.text == "o")
    owner = nil
    #expect(field.text == "o")
    let next = Guest()
    person.owner = next
    #expect(field.text == "a")
    withExtendedLifetime((binding, next)) {}
  }

  @Test("P49, P64: edits of a bound array are edits of both")
  func arrays() {
    let (person, field) = (Guest(), Textbox())
    person.tags = ["a"]
    let binding = person.bind(\.tags, to: field, \.list)
    let tokens = [
      person.observe(\.tags, options: options, changeHandler: recorder.receives("tags")),
      field.observe(\.list, options: options, changeHandler: recorder.receives("list")),
    ]
    person.mutableArrayValue(for: \.tags).append("b")
    #expect(field.list == ["a", "b"])
    #expect(
      recorder.take() == [#"tags →["b"] insertion [1]"#, #"list ["a"]→["a", "b"]"#])
    person.tags.append("c")
    field.list.removeFirst()
    #expect(person.tags == ["b", "c"])
    person.withMutation(of: \.tags) { person.tags = ["x"] }
    #expect(field.list == ["x"])
    withExtendedLifetime((binding, tokens)) {}
  }

  @Test("P68: a group writes nothing without a source, and all targets in one transaction with one")
  func groups() {
    let field = Textbox()
    let group = KeyValueBindingGroup<Guest>()
    group.bind(\.name, to: field, \.text)
    group.bind(\.total, to: field, \.number, .oneWay)
    #expect(field.text == "")
    let token = field.onChange(of: \.text, \.number) {
      recorder.write("\(field.text) \(field.number)")
    }
    let (person, other) = (Guest(), Guest())
    other.name = "b"
    other.age = 4
    group.source = person
    #expect(recorder.take() == ["a 10", "a 10"])
    group.source = other
    #expect(recorder.take() == ["b 40", "b 40"])
    field.text = "c"
    #expect(other.name == "c")
    #expect(person.name == "a")
    group.source = nil
    other.name = "d"
    #expect(field.text == "c")
    withExtendedLifetime(token) {}
  }

  @Test("P66, P68: a group converts values one way")
  func groupConvertingOneWay() {
    let field = Textbox()
    let group = KeyValueBindingGroup<Guest>()
    group.bind(\.age, to: field, \.text, .oneWay) { age in age < 0 ? nil : "aged \(age)" }
    let (person, other) = (Guest(), Guest())
    group.source = person
    #expect(field.text == "aged 1")
    other.age = 4
    group.source = other
    #expect(field.text == "aged 4")
    let reported = reportedIdentifiers { other.age = -1 }
    #expect(reported == ["unconvertedBoundValue"])
    person.age = 7
    #expect(field.text == "aged 4")
    field.text = "b"
    #expect(other.age == -1)
  }
}
