import KeyValueObserving
import Testing

@KeyValueObservable
private final class Cell {
  var value = 0
  var text = ""
  var next: Cell?
  var twice: Int {
    get { 2 * value }
    set { value = newValue / 2 }
  }
}

/// Its count notifies manually.
@KeyValueObservable
private final class Tally {
  var count = 0
  var double: Int { 2 * count }
  var marks = ""

  static func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "count" }
}

@KeyValueObservable
private final class Holder {
  var tally: Tally?
}

/// Transactions that change bound keys in the names of observers.
@Suite struct BindingNameTests {
  private let recorder = Recorder()
  private let first = Cell()
  private let second = Cell()
  private let third = Cell()

  private func observe(
    _ cell: Cell, _ name: String, prior: KeyValueObservation.Options = []
  ) -> KeyValueObservation {
    cell.observe(
      \.value, options: [.old, .new, prior], changeHandler: recorder.receives(name))
  }

  private func set(
    _ cell: Cell, to value: Int, without tokens: KeyValueObservation..., isNested: Bool = true
  ) {
    if !isNested {
      return withKeyValueTransaction(withoutNotifying: tokens) { cell.value = value }
    }
    withKeyValueTransaction {
      withKeyValueTransaction(withoutNotifying: tokens) { cell.value = value }
    }
  }

  @Test(
    "P57, P64: bindings write in the names in which the other side was set, also of a nested transaction",
    arguments: [false, true], [[], .prior] as [KeyValueObservation.Options])
  func names(isNested: Bool, prior: KeyValueObservation.Options) {
    let bindings = [
      first.bind(\.value, to: second, \.value), second.bind(\.value, to: third, \.value),
    ]
    let tokens = [
      observe(first, "first", prior: prior), observe(second, "second", prior: prior),
      observe(third, "third", prior: prior),
    ]
    set(first, to: 1, without: tokens[0], isNested: isNested)
    #expect(recorder.take().filter { !$0.hasSuffix("prior") } == ["second 0→1", "third 0→1"])
    set(first, to: 2, without: tokens[1], isNested: isNested)
    #expect(recorder.take().filter { !$0.hasSuffix("prior") } == ["first 1→2", "third 1→2"])
    set(first, to: 3, without: tokens[1], tokens[2], isNested: isNested)
    #expect(recorder.take().filter { !$0.hasSuffix("prior") } == ["first 2→3"])
    #expect(third.value == 3)
    third.value = 4
    #expect(
      recorder.take().filter { !$0.hasSuffix("prior") } == [
        "third 3→4", "second 3→4", "first 3→4",
      ])
    withExtendedLifetime((bindings, tokens)) {}
  }

  @Test("P57, P65: an observer is notified of a write if one set behind it was not in its name")
  func setsInDifferentNames() {
    let binding = first.bind(\.value, to: second, \.value)
    let tokens = [observe(first, "first"), observe(second, "second")]
    withKeyValueTransaction {
      withKeyValueTransaction(withoutNotifying: tokens) { first.value = 1 }
      first.value = 2
    }
    #expect(recorder.take() == ["first 0→2", "second 0→2"])
    withKeyValueTransaction {
      withKeyValueTransaction(withoutNotifying: [tokens[0]]) { first.value = 3 }
      second.value = 4
    }
    #expect(recorder.take() == ["first 2→4", "second 2→4"])
    withKeyValueTransaction {
      withKeyValueTransaction(withoutNotifying: [tokens[0]]) {
        first.value = 5
        second.value = 6
      }
    }
    #expect(recorder.take() == ["second 4→6"])
    withExtendedLifetime((binding, tokens)) {}
  }

  @Test("P52, P57: a set that is taken back does not count")
  func takenBack() {
    let binding = first.bind(\.value, to: second, \.value)
    let tokens = [observe(first, "first"), observe(second, "second")]
    withKeyValueTransaction {
      withKeyValueTransaction(withoutNotifying: tokens) { first.value = 1 }
      try? withKeyValueTransaction {
        first.value = 2
        throw Refused()
      }
    }
    #expect(recorder.take() == [])
    #expect(second.value == 1)
    withExtendedLifetime((binding, tokens)) {}
  }

  @Test("P57, P63: a binding is made in the names of its transaction")
  func madeInside() {
    first.value = 1
    let token = observe(second, "second")
    let binding = withKeyValueTransaction {
      withKeyValueTransaction(withoutNotifying: [token]) {
        first.bind(\.value, to: second, \.value)
      }
    }
    #expect(second.value == 1)
    #expect(recorder.take() == [])
    withExtendedLifetime((binding, token)) {}
  }

  @Test(
    "P57, P58, P63: so it is after a rollback, also of a group and of a transaction inside",
    arguments: [false, true], [false, true])
  func madeInRollback(isOfGroup: Bool, isInside: Bool) {
    first.value = 1
    let token = observe(second, "second")
    let other = observe(second, "other")
    let history = KeyValueHistory(of: second)
    let group = KeyValueBindingGroup<Cell>()
    group.bind(\.value, to: second, \.value)
    var binding: KeyValueBinding?
    try? withKeyValueTransaction {
      try withKeyValueTransaction(withoutNotifying: [token]) {
        history.withoutRecording {
          if isOfGroup {
            group.source = first
          } else {
            binding = first.bind(\.value, to: second, \.value)
          }
        }
        if isInside { throw Refused() }
      }
      throw Refused()
    }
    #expect(second.value == 1)
    #expect(recorder.take() == ["other 0→1"])
    #expect(!history.canUndo)
    first.value = 2
    #expect(recorder.take() == ["second 1→2", "other 1→2"])
    #expect(history.canUndo)
    withExtendedLifetime((binding, token, other)) {}
  }

  // The address of an observer that has ended is given to the next one, mostly.
  @Test("P57: an observer that comes when one has ended is notified, which a write passed over")
  func endedObserver() {
    first.value = 1
    var bindings: [KeyValueBinding] = []
    for isRolledBack in [false, true] {
      let (target, former) = (Cell(), Cell())
      var tokens: [KeyValueObservation] = []
      var binding: KeyValueBinding?
      try? withKeyValueTransaction {
        tokens.append(observe(former, "former"))
        withKeyValueTransaction(withoutNotifying: tokens) {
          binding = first.bind(\.value, to: target, \.value)
        }
        tokens.removeLast().invalidate()
        tokens.append(observe(target, "target"))
        if isRolledBack { throw Refused() }
      }
      #expect(recorder.take() == ["target 0→1"])
      if let binding { bindings.append(binding) }
    }
    withExtendedLifetime(bindings) {}
  }

  @Test("P58, P63: a history leaves out what is written because of a set that it leaves out")
  func unrecorded() throws {
    let history = KeyValueHistory(of: first)
    history.record(second)
    history.record(third)
    let bindings = [
      first.bind(\.value, to: second, \.value), second.bind(\.value, to: third, \.value),
    ]
    first.value = 1
    withKeyValueTransaction {
      history.withoutRecording { first.value = 2 }
      first.text = "a"
    }
    #expect([first.value, second.value, third.value] == [2, 2, 2])
    try history.undo()
    #expect(first.text == "")
    #expect([first.value, second.value, third.value] == [2, 2, 2])
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        history.withoutRecording { first.value = 3 }
        throw Refused()
      }
      first.value = 4
      history.withoutRecording { first.value = 5 }
    }
    try history.undo()
    #expect([first.value, second.value, third.value] == [2, 2, 2])
    withExtendedLifetime(bindings) {}
  }

  @Test(
    "P58, P63: also if it records the written side only, and because of a binding that is made there"
  )
  func unrecordedOtherSide() {
    first.value = 1
    let history = KeyValueHistory(of: second)
    let group = KeyValueBindingGroup<Cell>()
    let binding = withKeyValueTransaction {
      history.withoutRecording { first.bind(\.value, to: second, \.value) }
    }
    #expect(second.value == 1)
    #expect(!history.canUndo)
    for isInTransaction in [false, true] {
      let value = first.value + 1
      if isInTransaction {
        withKeyValueTransaction { history.withoutRecording { first.value = value } }
      } else {
        history.withoutRecording { first.value = value }
      }
      #expect(second.value == value)
      #expect(!history.canUndo)
    }
    group.bind(\.text, to: second, \.text)
    third.text = "a"
    withKeyValueTransaction { history.withoutRecording { group.source = third } }
    #expect(second.text == "a")
    #expect(!history.canUndo)
    withKeyValueTransaction {
      first.value = 8
      history.withoutRecording { first.value = 9 }
    }
    #expect(history.canUndo)
    withExtendedLifetime((binding, group)) {}
  }

  @Test(
    "P58, P64: so it is with a pair that begins there, and not with one that ends there",
    arguments: [false, true], [false, true])
  func pairs(isInTransaction: Bool, isAlongPath: Bool) throws {
    let (source, holder) = (Tally(), Holder())
    holder.tally = source
    let history = KeyValueHistory(of: second)
    history.record(source)
    let bindings = [
      isAlongPath
        ? holder.bind(\.tally!.count, to: second, \.value)
        : source.bind(\.count, to: second, \.value),
      isAlongPath
        ? holder.bind(\.tally!.double, to: third, \.value, .oneWay)
        : source.bind(\.double, to: third, \.value, .oneWay),
    ]
    let otherHistory = KeyValueHistory(of: third)
    func pair(beginning: () -> Void, ending: () -> Void) {
      if isInTransaction {
        withKeyValueTransaction {
          beginning()
          ending()
        }
      } else {
        beginning()
        ending()
      }
    }
    func unrecorded(_ body: () -> Void) {
      history.withoutRecording { otherHistory.withoutRecording(body) }
    }
    pair {
      unrecorded { source.willChangeValue(for: \.count) }
      source.count = 1
    } ending: {
      source.didChangeValue(for: \.count)
    }
    #expect([second.value, third.value] == [1, 2])
    #expect(!history.canUndo && !otherHistory.canUndo)
    pair {
      source.willChangeValue(for: \.count)
      source.count = 2
    } ending: {
      unrecorded { source.didChangeValue(for: \.count) }
    }
    #expect([second.value, third.value] == [2, 4])
    #expect(history.canUndo && otherHistory.canUndo)
    try history.undo()
    #expect([source.count, second.value] == [1, 1])
    withExtendedLifetime((bindings, holder)) {}
  }

  @Test("P11, P58, P64: and with a mutation and a pair in a callback, which are written later")
  func changesThatWait() {
    let source = Tally()
    let history = KeyValueHistory(of: second)
    // The change around writes nothing, since the converted value is the same.
    let bindings = [
      source.bind(\.marks, to: second, \.value, .oneWay, converting: { $0.count / 2 }),
      source.bind(\.count, to: second, \.value, .oneWay, converting: { $0 / 2 }),
    ]
    var action: ((Tally) -> Void)? = { source in
      history.withoutRecording { source.marks.append("y") }
    }
    let perform: (Tally) -> Void = { source in action.take()?(source) }
    let tokens = [
      source.onChange(of: \.marks) { [unowned source] _ in perform(source) },
      source.onChange(of: \.count) { [unowned source] _ in perform(source) },
    ]
    source.marks.append("x")
    #expect(second.value == 1)
    #expect(!history.canUndo)
    second.value = 0
    history.removeAll()
    action = { source in
      history.withoutRecording { source.willChangeValue(for: \.count) }
      source.count = 2
      source.didChangeValue(for: \.count)
    }
    source.willChangeValue(for: \.count)
    source.count = 1
    source.didChangeValue(for: \.count)
    #expect(second.value == 1)
    #expect(!history.canUndo)
    withExtendedLifetime((bindings, tokens)) {}
  }

  @Test("P57, P67: so it is with computed keys, converters and objects that are replaced")
  func otherSides() throws {
    let holder = Cell()
    holder.next = first
    let bindings = [
      holder.bind(
        \.next!.value, to: second, \.text,
        converting: KeyValueConverter(to: { "\($0)" }, from: { Int($0) })),
      first.bind(\.twice, to: third, \.value),
    ]
    let tokens = [
      second.observe(\.text, options: .new, changeHandler: recorder.receives("text")),
      observe(third, "third"),
    ]
    withKeyValueTransaction {
      withKeyValueTransaction(withoutNotifying: tokens) { first.value = 4 }
    }
    #expect(second.text == "4" && third.value == 8)
    #expect(recorder.take() == [])
    let other = Cell()
    withKeyValueTransaction {
      withKeyValueTransaction(withoutNotifying: tokens) { holder.next = other }
    }
    #expect(second.text == "0")
    #expect(recorder.take() == [])
    other.value = 5
    #expect(recorder.take() == ["text →5"])
    withExtendedLifetime((bindings, tokens, holder, other)) {}
  }
}
