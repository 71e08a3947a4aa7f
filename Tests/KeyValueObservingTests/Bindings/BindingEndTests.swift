import KeyValueObserving
import TestSupport
import Testing

@KeyValueObservable
private final class Part {
  var price: Int
  init(_ price: Int) { self.price = price }
}

@KeyValueObservable
private final class Form {
  var name = "n"
  var number = 0
  var nickname: String?
  var numbers: [Int] = []
  var members: Set<Int> = []
  var parts: [Part] = []
  var next: Form?
}

@KeyValueObservable
private final class Seat: KeyValueSource {
  var name: String
  @KeyValueIgnored var whenObserved: (() -> Void)?
  @KeyValueIgnored var whenUnobserved: (() -> Void)?

  init(_ name: String) { self.name = name }

  func didBecomeObserved(forKey key: String) { whenObserved?() }
  func didBecomeUnobserved(forKey key: String) { whenUnobserved?() }
}

/// The ends of bindings, and what they do not write.
@Suite struct BindingEndTests {
  @Test("P67: a binding ends with its token, also in a transaction that has set a side")
  func tokenReleasedInTransaction() {
    let (first, second) = (Form(), Form())
    var binding: KeyValueBinding? = first.bind(\.number, to: second, \.number)
    withKeyValueTransaction {
      first.number = 1
      #expect(binding?.isActive == true)
      binding = nil
    }
    #expect(second.number == 0)
  }

  @Test("P68, P71: an object that is no longer observed may set another source", arguments: [0, 1])
  func sourceSetInEnd(index: Int) {
    let form = Form()
    let (seat, last) = (Seat("a"), Seat("c"))
    let group = KeyValueBindingGroup<Seat>()
    group.bind(\.name, to: form, \.name)
    group.source = seat
    seat.whenUnobserved = { [unowned group, unowned last] in group.source = last }
    group.source = [nil, Seat("b")][index]
    #expect(group.source === last)
    #expect(form.name == "c")
    last.name = "d"
    #expect(form.name == "d")
  }

  @Test("P68, P71: so may one that is observed now", arguments: [false, true])
  func sourceSetInBeginning(isAdded: Bool) {
    let form = Form()
    let (seat, last) = (Seat("a"), Seat("c"))
    let group = KeyValueBindingGroup<Seat>()
    seat.whenObserved = { [unowned group, unowned seat, unowned last] in
      seat.whenObserved = nil
      group.source = last
    }
    if isAdded { group.source = seat }
    group.bind(\.name, to: form, \.name)
    if !isAdded { group.source = seat }
    #expect(group.source === last)
    #expect(form.name == "c")
    last.name = "d"
    #expect(form.name == "d")
    form.name = "e"
    #expect(last.name == "e" && seat.name == "a")
  }

  @Test("P64: bindings whose sides change in one transaction take linear time")
  func manyInTransaction() {
    func time(_ count: Int) -> Duration {
      let forms = (0..<count).map { _ in (Form(), Form()) }
      let bindings = forms.map { $0.bind(\.number, to: $1, \.number) }
      let time = processorTime {
        withKeyValueTransaction { for (form, _) in forms { form.number = 1 } }
      }
      #expect(forms.allSatisfy { $1.number == 1 })
      withExtendedLifetime(bindings) {}
      return time
    }
    #expect(slowdown(at: 6000, measuring: time) < 10)
  }

  @Test("P64: a chain of bindings takes linear time")
  func chain() {
    func time(_ count: Int) -> Duration {
      let forms = (0..<count).map { _ in Form() }
      let bindings = zip(forms, forms.dropFirst()).map { $0.bind(\.number, to: $1, \.number) }
      let time = processorTime { forms[0].number = 1 }
      #expect(forms.allSatisfy { $0.number == 1 })
      withExtendedLifetime(bindings) {}
      return time
    }
    #expect(slowdown(at: 6000, measuring: time) < 10)
  }

  @Test("P67: a one-way binding writes nothing while an intermediate object is nil")
  func oneWayThroughNil() {
    let (form, other) = (Form(), Form())
    form.next = Form()
    let binding = form.bind(\.next?.name, to: other, \.nickname, .oneWay)
    #expect(other.nickname == "n")
    form.next = nil
    #expect(other.nickname == "n")
    let next = Form()
    next.name = "m"
    form.next = next
    #expect(other.nickname == "m")
    withExtendedLifetime(binding) {}
  }

  @Test("P42, P63: a side that cannot be set, or has values of another type, is refused")
  func refusedSides() throws {
    let (form, other) = (Form(), Form())
    form.parts = [Part(1), Part(2)]
    #expect(throws: KeyValueCodingError.self) {
      try form.bind("parts.@count", to: other, "number")
    }
    #expect(throws: KeyValueCodingError.readOnly(type: Form.self, key: "parts.price")) {
      try form.bind("parts.price", to: other, "numbers")
    }
    #expect(
      throws: KeyValueCodingError.typeMismatch(
        type: Form.self, key: "numbers", expected: [Int].self, actual: Int.self, value: "0")
    ) {
      try form.bind("number", to: other, "numbers")
    }
    // No array becomes a set, not even an empty one.
    #expect(
      throws: KeyValueCodingError.typeMismatch(
        type: Form.self, key: "members", expected: Set<Int>.self, actual: [Int].self, value: "[]")
    ) {
      try form.bind("numbers", to: other, "members")
    }
    #expect(throws: KeyValueCodingError.self) { try form.bind("members", to: other, "numbers") }
    let itself = try form.bind("self.name", to: form, "name")
    #expect(!itself.isActive)
    // The path may come to a number.
    let binding = try form.bind("next.number", to: other, "numbers")
    #expect(binding.isActive)
  }

  @Test(
    "P60, P64: undoing a write of a binding leaves the other recorded side as its groups have it")
  func undoneWrite() throws {
    let (first, second) = (Form(), Form())
    let history = KeyValueHistory(of: first)
    history.record(second)
    first.mutableArrayValue(for: \.numbers).append(3)
    let binding = first.bind(\.numbers, to: second, \.numbers)
    try history.undo()
    #expect(first.numbers == [3] && second.numbers == [])
    try history.undo()
    #expect(first.numbers == [] && second.numbers == [] && !history.canUndo)
    try history.redo()
    try history.redo()
    #expect(first.numbers == [3] && second.numbers == [3])
    second.numbers = [4]
    #expect(first.numbers == [4])
    withExtendedLifetime(binding) {}
  }

  @Test("P59, P64: a recorded side that is not in the group keeps its value in an undo")
  func undoneOverwriting() throws {
    let (first, second) = (Form(), Form())
    let history = KeyValueHistory(of: first)
    history.record(second)
    second.number = 3
    let binding = first.bind(\.number, to: second, \.number)
    #expect(second.number == 0)
    try history.undo()
    #expect(first.number == 0 && second.number == 3)
    try history.undo()
    #expect(first.number == 0 && second.number == 0 && !history.canUndo)
    try history.redo()
    try history.redo()
    #expect(first.number == 0 && second.number == 0 && !history.canRedo)
    withExtendedLifetime(binding) {}
  }

  @Test(
    "P63, P64: undoing a change of a side writes the other one, if the history has no change of that",
    arguments: [false, true])
  func undoneAlone(isRecordedLater: Bool) throws {
    let (first, second) = (Form(), Form())
    let history = KeyValueHistory(of: first)
    let binding = first.bind(\.number, to: second, \.number)
    first.number = 1
    if isRecordedLater { history.record(second) }
    try history.undo()
    #expect(first.number == 0 && second.number == 0)
    withExtendedLifetime(binding) {}
  }

  @Test(
    "P66, P69: what a setter refuses is not written, one diagnostic names it, and the binding goes on"
  )
  func refused() throws {
    let (deposit, widget) = (Deposit(), WidgetSource(["small": 1]))
    let binding = try deposit.bind("x", to: widget, "small")
    #expect(widget["small"] as? Int == 0)
    let reported = reportedIdentifiers {
      deposit.x = 50
      deposit.x = 60
    }
    #expect(reported == ["rejectedMutation"])
    #expect(deposit.x == 60 && widget["small"] as? Int == 0)
    deposit.x = 3
    #expect(widget["small"] as? Int == 3)
    withExtendedLifetime(binding) {}
  }

  @Test(
    "P8, P65: a mutation in place is written where it ends, whatever is set meanwhile",
    arguments: [false, true])
  func setInMutation(isOneWay: Bool) {
    let (form, other) = (Form(), Form())
    let binding =
      isOneWay
      ? form.bind(\.numbers, to: other, \.numbers, .oneWay)
      : form.bind(\.numbers, to: other, \.numbers)
    func change(_ numbers: inout [Int]) {
      other.numbers = [7]
      numbers.append(1)
    }
    change(&form.numbers)
    #expect(form.numbers == [1] && other.numbers == [1])
    other.numbers = [8]
    #expect(form.numbers == (isOneWay ? [1] : [8]))
    withExtendedLifetime(binding) {}
  }

  @Test(
    "P63: a binding that is made in a prior notification of a side writes that change",
    arguments: ["number", "next.number", "block", "pair", "second side"])
  func madeInPriorNotification(kind: String) throws {
    let (form, other, root) = (Form(), Form(), Form())
    root.next = form
    var binding: KeyValueBinding?
    let token = form.observe(\.number, options: .prior) { _, _ in
      // The first write of the form sends a prior notification, too.
      if binding != nil { return }
      binding =
        switch kind {
        case "next.number": try? root.bind("next.number", to: other, "number")
        case "second side": other.bind(\.number, to: form, \.number)
        default: form.bind(\.number, to: other, \.number)
        }
    }
    switch kind {
    case "block": form.withMutation(of: \.number) { form.number = 5 }
    case "pair":
      form.willChangeValue(for: \.number)
      form.number = 5
      form.didChangeValue(for: \.number)
    default: form.number = 5
    }
    #expect(form.number == 5 && other.number == 5)
    withExtendedLifetime((token, binding)) {}
  }
}
