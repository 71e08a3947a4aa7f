import KeyValueObserving
import Testing

@KeyValueObservable
private final class Visitor {
  var name = "a"
  var age = 1
}

@KeyValueObservable
private final class Form {
  var text = "x"
  var number = 0
}

/// Its observer `didSet` sets the age, and takes that back.
@KeyValueObservable
private final class Registrant {
  var name = "a" {
    didSet {
      try? withKeyValueTransaction {
        age = 9
        throw CancellationError()
      }
    }
  }
  var age = 1
}

/// Bindings that are made in a transaction, and transactions in sets of bound keys.
@Suite struct BindingsInTransactions {
  private let recorder = Recorder()

  @Test("P64: an undo writes a side that the history records only since its group was made")
  func recordedSince() throws {
    let (visitor, form) = (Visitor(), Form())
    let history = KeyValueHistory(of: visitor)
    visitor.age = 2
    let binding = visitor.bind(\.age, to: form, \.number)
    history.record(form)
    #expect(form.number == 2)
    try history.undo()
    #expect(visitor.age == 1 && form.number == 1)
    withExtendedLifetime(binding) {}
  }

  @Test("P63, P64: a binding that is made in a transaction writes after a rollback as well")
  func rolledBack() {
    let (visitor, form) = (Visitor(), Form())
    let token = form.observe(
      \.text, options: [.old, .new], changeHandler: recorder.receives("text"))
    var binding: KeyValueBinding?
    try? withKeyValueTransaction {
      visitor.name = "b"
      binding = visitor.bind(\.name, to: form, \.text)
      throw CancellationError()
    }
    #expect(form.text == "a")
    #expect(recorder.take() == ["text x→a"])
    form.text = "c"
    #expect(visitor.name == "c")
    withExtendedLifetime((token, binding)) {}
  }

  @Test("P63, P64: a binding that is made in a transaction writes once, unless a set is later")
  func delivered() {
    let (visitor, form) = (Visitor(), Form())
    let token = form.observe(
      \.text, options: [.old, .new], changeHandler: recorder.receives("text"))
    var bindings: [KeyValueBinding] = []
    withKeyValueTransaction {
      bindings.append(visitor.bind(\.name, to: form, \.text))
      #expect(form.text == "x")
      bindings.append(visitor.bind(\.age, to: form, \.number, .oneWay))
      form.number = 5
    }
    #expect(recorder.take() == ["text x→a"])
    #expect(form.number == 5)
    withExtendedLifetime((token, bindings)) {}
  }

  @Test("P67: a binding that ends in a transaction that is rolled back writes nothing")
  func ended() {
    let (visitor, form) = (Visitor(), Form())
    try? withKeyValueTransaction {
      visitor.bind(\.name, to: form, \.text).invalidate()
      throw CancellationError()
    }
    #expect(form.text == "x")
  }

  @Test("P68: a source that is set in a transaction that is rolled back is written in one")
  func group() {
    let form = Form()
    let group = KeyValueBindingGroup<Visitor>()
    group.bind(\.name, to: form, \.text)
    group.bind(\.age, to: form, \.number)
    let token = form.onChange(of: \.text, \.number) {
      recorder.write("\(form.text) \(form.number)")
    }
    let visitor = Visitor()
    try? withKeyValueTransaction {
      group.source = visitor
      throw CancellationError()
    }
    #expect(group.source === visitor)
    #expect(recorder.take() == ["a 1", "a 1"])
    form.number = 4
    #expect(visitor.age == 4)
    withExtendedLifetime(token) {}
  }
  @Test(
    "P52, P63: a transaction in a bound set takes back its own sets, also where a prior handler has set the key"
  )
  func rolledBackInSet() {
    let (registrant, form) = (Registrant(), Form())
    let binding = registrant.bind(\.name, to: form, \.text)
    var hasSet = false
    let tokens = [
      registrant.observe(\.name, options: [.prior]) { registrant, change in
        if change.isPrior, !hasSet {
          hasSet = true
          registrant.name = "p"
        }
      },
      registrant.observe(
        \.name, options: [.old, .new], changeHandler: recorder.receives("name")),
      registrant.observe(
        \.age, options: [.old, .new], changeHandler: recorder.receives("age")),
      form.observe(\.text, options: [.old, .new], changeHandler: recorder.receives("text")),
    ]
    registrant.name = "b"
    #expect(recorder.take() == ["name a→b", "text a→b"])
    #expect(registrant.age == 1)
    #expect(form.text == "b")
    withExtendedLifetime((tokens, binding)) {}
  }

  @Test(
    "P63: a side that an observer sets in vain before the turn of the binding is written all the same",
    arguments: [false, true])
  func rolledBackBeforeTurn(isInside: Bool) {
    let (visitor, form) = (Visitor(), Form())
    let token = visitor.observe(\.name) { visitor, _ in
      func setInVain() {
        try? withKeyValueTransaction {
          visitor.name = "z"
          throw CancellationError()
        }
      }
      if isInside { withKeyValueTransaction { setInVain() } } else { setInVain() }
    }
    let binding = visitor.bind(\.name, to: form, \.text)
    visitor.name.append("b")
    #expect(form.text == "ab")
    form.text.append("c")
    #expect(visitor.name == "abc")
    withExtendedLifetime((token, binding)) {}
  }
}
