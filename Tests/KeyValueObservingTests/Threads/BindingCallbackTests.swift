import KeyValueObserving
import Testing

@KeyValueObservable
private class Component {
  var name = "p"
  var number = 1
}

@KeyValueObservable
private final class Listed: Component {
  override var name: String {
    get { super.name + "\(number)" }
    set { super.name = newValue }
  }
}

@KeyValueObservable
private final class Reading {
  var celsius = 0.0
  var name = "a"
  var nickname: String?
  var age = 1
  var tags: [String] = []
}

@KeyValueObservable
private final class Label {
  var text = ""
  var list: [String] = []
}

/// Bindings and histories whose callbacks, transactions and objects change more.
@Suite struct BindingCallbacks {
  private let recorder = Recorder()
  private let converter = KeyValueConverter<Double, String>(to: { "\($0)" }, from: { Double($0) })

  @Test("P65: a bound key that is computed from its own overridden property is followed once")
  func overriding() {
    let (listed, label) = (Listed(), Label())
    let binding = listed.bind(\.name, to: label, \.text)
    #expect(label.text == "p1")
    listed.number = 2
    #expect(label.text == "p2")
    withExtendedLifetime(binding) {}
  }

  @Test("P59, P64: an undo puts both sides back, though they were not equal to what is written")
  func undo() throws {
    let (reading, label) = (Reading(), Label())
    let binding = reading.bind(\.celsius, to: label, \.text, converting: converter)
    let history = KeyValueHistory(of: reading)
    history.record(label)
    label.text = "12"
    reading.celsius = 3
    try history.undo()
    #expect(label.text == "12")
    #expect(reading.celsius == 12)
    withExtendedLifetime(binding) {}
  }

  @Test("P65: nothing comes back where an observer sets the other side")
  func observerSetsOtherSide() {
    let (reading, label) = (Reading(), Label())
    let token = reading.observe(\.celsius) { reading, _ in
      if reading.celsius == 5 { label.text = "1e2" }
    }
    let binding = reading.bind(\.celsius, to: label, \.text, converting: converter)
    reading.celsius = 5
    #expect(reading.celsius == 100)
    #expect(label.text == "1e2")
    withExtendedLifetime((token, binding)) {}
  }

  @Test("P65: the later set wins through sides that agree already")
  func agreeingSides() {
    let (a, b, c) = (Reading(), Reading(), Reading())
    let bindings = [a.bind(\.age, to: b, \.age), b.bind(\.age, to: c, \.age)]
    withKeyValueTransaction {
      c.age = 2
      a.age = 1
    }
    #expect([a.age, b.age, c.age] == [1, 1, 1])
    withKeyValueTransaction {
      b.age = 3
      c.age = 2
      a.age = 3
    }
    #expect([a.age, b.age, c.age] == [3, 3, 3])
    withExtendedLifetime(bindings) {}
  }

  @Test("P52, P65: a set that was rolled back is not the later one")
  func rolledBackSet() {
    let (reading, label) = (Reading(), Label())
    let binding = reading.bind(\.name, to: label, \.text)
    withKeyValueTransaction {
      reading.name = "p"
      label.text = "f"
      try? withKeyValueTransaction {
        reading.name = "x"
        throw Refused()
      }
    }
    #expect(reading.name == "f")
    #expect(label.text == "f")
    withExtendedLifetime(binding) {}
  }

  @Test("P63, P67: keys as strings copy nil, and neither object is retained")
  func strings() throws {
    let reading = Reading()
    weak var gone: Reading?
    var binding: KeyValueBinding?
    do {
      let other = Reading()
      gone = other
      binding = try reading.bind("nickname", to: other, "nickname")
      reading.nickname = "x"
      #expect(other.nickname == "x")
      reading.nickname = nil
      #expect(other.nickname == nil)
    }
    #expect(gone == nil)
    #expect(binding?.isActive == false)
  }

  @Test("P11, P64: an edit that is not made loses nothing that prior notifications have changed")
  func abandonedEdit() {
    let (reading, label) = (Reading(), Label())
    reading.tags = ["a"]
    let binding = reading.bind(\.tags, to: label, \.list)
    var isFirst = true
    let tokens = [
      reading.observe(\.tags, options: .prior) { reading, change in
        guard change.isPrior, isFirst else { return }
        isFirst = false
        reading.tags = []
        reading.age = 9
      },
      reading.observe(\.age) { _, _ in recorder.write("age") },
    ]
    reading.mutableArrayValue(for: \.tags).remove(at: 0)
    #expect(recorder.take() == ["age"])
    #expect(reading.tags == [])
    #expect(label.list == [])
    withExtendedLifetime((binding, tokens)) {}
  }

  @Test("P11, P63: a set that throws loses nothing that prior notifications have set")
  func thrownSet() throws {
    let (source, other) = (WidgetSource(["upper": 1.0]), WidgetSource(["upper": 2.0]))
    let binding = try source.bind("upper", to: other, "upper")
    let entry = try #require(source.keyValueProperty(forKey: "upper"))
    let refusal = KeyValueCodingError.readOnly(type: WidgetSource.self, key: "upper")
    var isFirst = true
    let tokens = [
      try source.observe("upper", options: .prior) { source, change in
        guard change.isPrior, isFirst else { return }
        isFirst = false
        source["upper"] = 5.0
      },
      try source.observe(
        "upper", options: [.old, .new], changeHandler: recorder.receives("upper")),
    ]
    #expect(throws: refusal) {
      try source.keyValueRegistrar.set(
        entry, of: source, to: 9.0, read: { source["upper"] },
        write: { _ throws(KeyValueCodingError) in throw refusal })
    }
    #expect(recorder.take() == ["upper 1.0→5.0"])
    #expect(other["upper"] as? Double == 5)
    source["upper"] = 6.0
    #expect(recorder.take() == ["upper 5.0→6.0"])
    #expect(other["upper"] as? Double == 6)
    withExtendedLifetime((binding, tokens)) {}
  }

  @Test("P8, P63: a mutation in place that awaits is delivered, and leaves no transaction open")
  func mutationAcrossAwait() async {
    let (reading, label) = (Reading(), Label())
    let binding = reading.bind(\.tags, to: label, \.list)
    func fill(_ tags: inout [String]) async {
      for _ in 0..<5 { await Task.detached {}.value }
      tags.append("x")
    }
    await fill(&reading.tags)
    #expect(label.list == ["x"])
    reading.tags = ["y"]
    #expect(label.list == ["y"])
    withExtendedLifetime(binding) {}
  }

  @Test("P61, P62: an edit that is abandoned after prior notifications does not keep a group open")
  func abandonedRecording() throws {
    let basket = Reading()
    basket.tags = ["a"]
    var isFirst = true
    let token = basket.observe(\.tags, options: .prior) { basket, change in
      guard change.isPrior, isFirst else { return }
      isFirst = false
      basket.tags = []
    }
    let history = KeyValueHistory(of: basket)
    basket.mutableArrayValue(for: \.tags).remove(at: 0)
    basket.name = "b"
    #expect(history.canUndo)
    try history.undo()
    #expect(basket.name == "a")
    withExtendedLifetime(token) {}
  }

  @Test("P58: objects that are set without recording are recorded from then on")
  func reachableWithoutRecording() throws {
    let (account, next) = (Deposit(), Deposit())
    let history = KeyValueHistory(of: account, includingReachable: true)
    history.withoutRecording { account.next = next }
    next.name = "b"
    #expect(history.canUndo)
    try history.undo()
    #expect(next.name == "a")
    #expect(account.next === next)
  }
}
