import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private final class Album {
  var cover: Cover
  var title: String { cover.title }

  init(_ cover: Cover) { self.cover = cover }
}

@KeyValueObservable
private final class Cover {
  var title: String

  init(_ title: String) { self.title = title }
}

@KeyValueObservable
private final class Lamp {
  var isOn = false {
    didSet { if !isOn { marks.append(1) } }
  }
  var marks: [Int] = []
}

@KeyValueObservable
private final class Mirror {
  var left: [Int] = [] {
    didSet { right.append(left.count) }
  }
  var right: [Int] = [] {
    didSet { if left.count < 50 { left.append(right.count) } }
  }
}

/// Mutates other objects when it is put back.
@KeyValueObservable
private final class Filter {
  var isOn = false {
    didSet {
      if isOn { return }
      count += 1
      for row in rows { row.x += 1 }
    }
  }
  @KeyValueIgnored private(set) var count = 0
  @KeyValueIgnored private let rows: [Deposit]

  init(_ rows: [Deposit]) { self.rows = rows }
}

@KeyValueObservable
private final class Room {}

@KeyValueObservable
private final class Lodger {
  unowned var room: Room

  init(in room: Room) { self.room = room }
}

/// Registers an observer while its property is being set.
@KeyValueObservable
private final class Owner {
  var note = 0
  var cover = Cover("one") {
    willSet { if token == nil { token = whenSet?(self) } }
  }
  @KeyValueIgnored var whenSet: ((Owner) -> KeyValueObservation)?
  @KeyValueIgnored var token: KeyValueObservation?
}

/// Notifies of its property itself.
@KeyValueObservable
private final class ManualCounter {
  private(set) var x = 0

  static func automaticallyNotifiesObserversOfX() -> Bool { false }

  func set(_ value: Int) {
    willChangeValue(for: \.x)
    x = value
    didChangeValue(for: \.x)
  }
}

/// Its getter sets another object.
@KeyValueObservable
private final class SettingGetter {
  @KeyValueIgnored let source: Deposit
  var value: Int {
    source.x = 7
    return 1
  }

  init(_ source: Deposit) { self.source = source }
}

@Suite struct TakenBackTests {
  private let recorder = Recorder()

  @Test("P11, P53: a computed key observed in a transaction follows what a rollback puts back")
  func lateObserverOfComputedKey() {
    let cover = Cover("one")
    let album = Album(cover)
    var tokens = [album.observe(\.title, options: .new, changeHandler: recorder.receives("first"))]
    try? withKeyValueTransaction {
      album.cover = Cover("two")
      tokens.append(
        album.observe(\.title, options: [.old, .new], changeHandler: recorder.receives("second")))
      throw Refused()
    }
    #expect(recorder.take() == ["second two→one"])
    cover.title = "three"
    #expect(recorder.take() == ["first →three", "second one→three"])
    withExtendedLifetime((tokens, album)) {}
  }

  @Test("P50: a rollback takes back what didSet mutates in place in any number of objects")
  func manyMutationsInDidSet() {
    let rows = (0..<150).map { _ in Deposit() }
    let table = Filter(rows)
    try? withKeyValueTransaction {
      table.isOn = true
      throw Refused()
    }
    #expect(table.count == 1)
    #expect(rows.allSatisfy { $0.x == 0 })
  }

  @Test("P51, P57: a value that is not put back is delivered, if one change of it is not excluded")
  func unrestoredWithoutNotifying() {
    let (first, second, third) = (Room(), Room(), Room())
    let lodger = Lodger(in: first)
    let token = lodger.observe(\.room, options: .new) { _, change in
      recorder.write(change.newValue === third ? "third" : "another")
    }
    let identifiers = reportedIdentifiers {
      try? withKeyValueTransaction {
        withKeyValueTransaction(withoutNotifying: [token]) { lodger.room = second }
        lodger.room = third
        throw Refused()
      }
    }
    #expect(recorder.take() == ["third"])
    #expect(identifiers == ["unrestoredValue"])
    withExtendedLifetime((lodger, first, second, third)) {}
  }

  @Test("P53: a path that is registered while its link is set follows the new object")
  func registrationInWillSet() {
    let owner = Owner()
    let other = owner.observe(\.note) { _, _ in }
    owner.whenSet = { owner in
      owner.observe(\.cover.title, options: .new, changeHandler: recorder.receives("title"))
    }
    withKeyValueTransaction { owner.cover = Cover("two") }
    #expect(recorder.take() == [])
    owner.cover.title = "three"
    #expect(recorder.take() == ["title →three"])
    owner.token = nil
    withExtendedLifetime((owner, other)) {}
  }

  @Test("P50, P53: also one that is registered while its link is put back, and was not observed")
  func registrationInWillSetOfRollback() {
    let owner = Owner()
    try? withKeyValueTransaction {
      owner.cover = Cover("two")
      owner.whenSet = { owner in
        owner.observe(\.cover.title, options: .new, changeHandler: recorder.receives("title"))
      }
      throw Refused()
    }
    #expect(recorder.take() == [])
    owner.cover.title = "three"
    #expect(recorder.take() == ["title →three"])
    owner.token = nil
  }

  @Test("P59, P20: undo of a key whose setter does not notify is a change, and can be redone")
  func undoOfManualKey() throws {
    let counter = ManualCounter()
    let history = KeyValueHistory(of: counter)
    let token = counter.observe(\.x, options: [.old, .new], changeHandler: recorder.receives("x"))
    counter.set(1)
    try history.undo()
    #expect(recorder.take() == ["x 0→1", "x 1→0"])
    try history.redo()
    #expect(counter.x == 1)
    #expect(recorder.take() == ["x 0→1"])
    withExtendedLifetime(token) {}
  }

  @Test("P21, P64: what a binding reads and converts is no dependency of a getter that sets a side")
  func bindingInGetter() {
    let (source, shown, scale) = (Deposit(), Deposit(), Deposit())
    scale.x = 1
    let binding = source.bind(
      \.x, to: shown, \.x,
      converting: KeyValueConverter(to: { $0 * scale.x }, from: { $0 }))
    let getter = SettingGetter(source)
    let token = getter.observe(\.value, options: .new, changeHandler: recorder.receives("value"))
    scale.x = 2
    #expect(recorder.take() == [])
    withExtendedLifetime((token, binding)) {}
  }

  @Test("P50, P59: what didSet mutates in place has no effect while values are put back")
  func mutationInDidSet() throws {
    let lamp = Lamp()
    let token = lamp.observe(\.marks, options: [.new], changeHandler: recorder.receives("marks"))
    try? withKeyValueTransaction {
      lamp.isOn = true
      throw Refused()
    }
    #expect(!lamp.isOn && lamp.marks == [])
    #expect(recorder.take() == [])
    let history = KeyValueHistory(of: lamp)
    lamp.isOn = true
    try history.undo()
    #expect(!lamp.isOn && lamp.marks == [])
    #expect(recorder.take() == [])
    withExtendedLifetime(token) {}
  }

  @Test("P50: properties that mutate each other in place end where values are put back")
  func mutualMutation() {
    let mirror = Mirror()
    mirror.left = [1]
    let former = (mirror.left, mirror.right)
    try? withKeyValueTransaction {
      mirror.left = [7]
      throw Refused()
    }
    #expect((mirror.left, mirror.right) == former)
  }

  @Test("P45, P69: a value that an entry refuses is no change of a transaction")
  func refusedEntry() throws {
    let source = WidgetSource(["upper": 4.0, "lower": 1.0])
    let entry = try #require(source.keyValueProperty(forKey: "upper"))
    let token = try source.observe("upper", options: [.old, .new]) { _, _ in
      Issue.record("nothing has changed")
    }
    withKeyValueTransaction {
      #expect(throws: KeyValueCodingError.readOnly(type: WidgetSource.self, key: "upper")) {
        try source.keyValueRegistrar.set(
          entry, of: source, to: 1.0, read: { 4.0 },
          write: { _ throws(KeyValueCodingError) in
            throw .readOnly(type: WidgetSource.self, key: "upper")
          })
      }
    }
    withExtendedLifetime(token) {}
  }

  @Test("P58: an edit that prior notifications have made impossible leaves a history usable")
  func abandonedEdit() throws {
    let deposit = Deposit()
    deposit.tags = ["a"]
    let history = KeyValueHistory(of: deposit)
    var isEmptied = false
    let token = deposit.observe(\.tags, options: .prior) { deposit, change in
      if change.isPrior, !isEmptied {
        isEmptied = true
        deposit.tags = []
      }
    }
    _ = deposit.mutableArrayValue(for: \.tags).popLast()
    #expect(deposit.tags == [] && history.canUndo)
    try history.undo()
    #expect(deposit.tags == ["a"])
    withExtendedLifetime(token) {}
  }

  @Test("P47: observers that are registered in prior notifications without end are notified")
  func registeringPriors() {
    let deposit = Deposit()
    var tokens: [KeyValueObservation] = []
    var count = 0
    func observe() {
      tokens.append(
        deposit.observe(\.x, options: [.prior]) { _, change in
          if change.isPrior, tokens.count < 1000 { observe() }
          if !change.isPrior { count += 1 }
        })
    }
    observe()
    withKeyValueTransaction { deposit.x = 1 }
    #expect(tokens.count == LoopLimit.generationLimit + 1)
    #expect(count == tokens.count)
    tokens = []
  }

  @Test("P55: a pair of a key that is made on the fly ends as it has begun")
  func pairOfManyKeys() {
    let dictionary = KeyValueDictionary([:])
    let key = String(repeating: "long ", count: 40)
    withKeyValueTransaction {
      dictionary.willChangeValue(forKey: key)
      let transaction = Transaction.current
      #expect(transaction?.openPairs.count == 1)
      dictionary.didChangeValue(forKey: key)
      #expect(transaction?.openPairs.isEmpty == true)
    }
  }

  @Test("P47, P50: what a prior handler sets while values are put back is put back, too")
  func priorHandlerInRollback() {
    let deposit = Deposit()
    var tokens = [
      deposit.observe(\.y, options: [.old, .new], changeHandler: recorder.receives("y"))
    ]
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        deposit.x = 1
        tokens.append(
          deposit.observe(\.x, options: .prior) { deposit, change in
            if change.isPrior { deposit.y = 5 }
          })
        throw Refused()
      }
      #expect(deposit.y == 0)
      try? withKeyValueTransaction {
        deposit.y = 9
        throw Refused()
      }
      #expect(deposit.y == 0)
    }
    #expect(recorder.take() == [])
    withExtendedLifetime(tokens) {}
  }

  @Test("P50: prior handlers that set and register others without end do not keep a rollback going")
  func endlessPriorHandlersInRollback() {
    let deposit = Deposit()
    var tokens: [KeyValueObservation] = []
    func observe() {
      tokens.append(
        deposit.observe(\.x, options: .prior) { deposit, change in
          guard change.isPrior, tokens.count < 1000 else { return }
          deposit.y += 1
          observe()
        })
    }
    try? withKeyValueTransaction {
      deposit.x = 1
      observe()
      throw Refused()
    }
    #expect(deposit.x == 0)
    #expect(deposit.y == 0)
    #expect(tokens.count < 1000)
    for token in tokens { token.invalidate() }
  }
}

/// An object that a handler captures.
private final class Captured {}

@Suite struct LateDeletionTests {
  @Test("P32, P54: an observer that a deletion in a transaction has ended is released")
  func releasedHandler() {
    weak var captured: Captured?
    var object: Deposit? = Deposit()
    var reasons: [KeyValueChangeReason] = []
    let observer: KeyValueObserver
    do {
      let kept = Captured()
      captured = kept
      observer = KeyValueObserver(source: object!, keyPath: \Deposit.x, options: .new) {
        reasons.append($1)
        withExtendedLifetime(kept) {}
      }
    }
    withKeyValueTransaction {
      object = nil
      #expect(reasons == [] && captured != nil)
    }
    #expect(reasons == [.sourceDeleted])
    #expect(captured == nil)
    withExtendedLifetime(observer) {}
  }
}
