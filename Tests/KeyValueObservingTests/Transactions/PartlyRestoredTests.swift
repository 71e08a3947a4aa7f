import KeyValueObserving
import Testing

@KeyValueObservable
private final class Room {
  var number: Int

  init(_ number: Int) { self.number = number }
}

/// An unowned property is never put back.
@KeyValueObservable
private final class Guest {
  unowned var room: Room
  var nights = 0
  var price: Int { 2 * nights }
  var code: Int { room.number + nights }

  init(in room: Room) { self.room = room }
}

@KeyValueObservable
private final class Reader {
  weak var room: Room?
  var pages = 0
  var sum: Int { pages + (room?.number ?? 0) }
}

/// Rollbacks that put some values back, and others not.
@Suite struct PartlyRestoredTests {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]
  private let rooms = [Room(1), Room(2)]
  private let guest: Guest

  init() { guest = Guest(in: rooms[0]) }

  private func observeRoom(_ name: String) -> KeyValueObservation {
    guest.observe(\.room, options: .new) { [recorder] _, change in
      recorder.write("\(name) \(change.newValue?.number ?? 0)")
    }
  }

  private func observeCode(_ name: String) -> KeyValueObservation {
    guest.observe(\.code, options: options, changeHandler: recorder.receives(name))
  }

  /// Runs a transaction that is rolled back, and cannot put the room back.
  private func refuse(_ body: () -> Void) {
    let identifiers = reportedIdentifiers {
      try? withKeyValueTransaction {
        body()
        throw Refused()
      }
    }
    #expect(identifiers == ["unrestoredValue"])
  }

  @Test("P52, P53: a late observer of a computed key receives nothing if its inputs are put back")
  func lateObserverOfRestored() {
    var tokens = [guest.observe(\.price) { _, _ in }, observeRoom("room")]
    withKeyValueTransaction {
      guest.nights = 1
      tokens.append(
        guest.observe(\.price, options: options, changeHandler: recorder.receives("late")))
      refuse {
        guest.nights = 5
        guest.room = rooms[1]
      }
    }
    #expect(recorder.take() == ["room 2"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P51, P53: one receives a change if an input that was set since is not put back")
  func lateObserverOfUnrestored() {
    var tokens = [observeCode("first")]
    withKeyValueTransaction {
      guest.nights = 1
      tokens.append(observeCode("late"))
      refuse {
        guest.nights = 5
        guest.room = rooms[1]
      }
    }
    #expect(recorder.take() == ["first 1→3", "late 2→3"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P51, P53: one that comes behind the set that is not put back has found its value",
    arguments: [false, true])
  func observerBehindSet(isNested: Bool) {
    var tokens = [observeRoom("first"), observeCode("first code")]
    func run() {
      refuse {
        guest.room = rooms[1]
        tokens += [observeRoom("late"), observeCode("late code")]
      }
    }
    if isNested { withKeyValueTransaction(run) } else { run() }
    #expect(recorder.take() == ["first 2", "first code 1→2"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P51, P53: it receives a further set that is not put back either")
  func observerBetweenSets() {
    var tokens = [observeRoom("first")]
    refuse {
      guest.room = rooms[1]
      tokens.append(observeRoom("late"))
      guest.room = rooms[0]
    }
    #expect(recorder.take() == ["first 1", "late 1"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P51, P57: an observer is passed over if what is not put back was set in its name only")
  func excludedObserver() {
    let tokens = [observeRoom("excluded"), observeRoom("other")]
    refuse { withKeyValueTransaction(withoutNotifying: [tokens[0]]) { guest.room = rooms[1] } }
    #expect(recorder.take() == ["other 2"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P51, P52: what an inner transaction cannot put back is delivered after any rollback")
  func unrestoredInRestored() {
    let tokens = [observeRoom("room"), observeCode("code")]
    try? withKeyValueTransaction {
      try withKeyValueTransaction {
        refuse { guest.room = rooms[1] }
        guest.nights = 3
        throw Refused()
      }
    }
    #expect(guest.room === rooms[1] && guest.nights == 0)
    #expect(recorder.take() == ["room 2", "code 1→2"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P51, P52: if a transaction around it puts the value back, it is not delivered",
    arguments: [false, true])
  func restoredByOuter(isOuterRolledBack: Bool) throws {
    let source = WidgetSource(["small": 3])
    let token = try source.observe(
      "small", options: options, changeHandler: recorder.receives("small"))
    try? withKeyValueTransaction {
      source.widget.change("small", to: 50)
      // The setter takes no 50.
      refuse { try? source.setValue(5, forKey: "small") }
      #expect(source.widget.values["small"] as? Int == 5)
      if isOuterRolledBack { throw Refused() }
    }
    #expect(source.widget.values["small"] as? Int == (isOuterRolledBack ? 3 : 5))
    #expect(recorder.take() == (isOuterRolledBack ? [] : ["small 3→5"]))
    withExtendedLifetime(token) {}
  }

  @Test(
    "P51, P53, P54: a late observer starts from what it has found where an object is deallocated",
    arguments: [false, true])
  func lateObserverOfDeallocation(isRolledBack: Bool) {
    let reader = Reader()
    var shelf: Room? = Room(10)
    reader.room = shelf
    var tokens = [
      reader.observe(\.sum, options: options, changeHandler: recorder.receives("first"))
    ]
    func release() { shelf = nil }
    withKeyValueTransaction {
      reader.pages = 1
      tokens.append(
        reader.observe(\.sum, options: options, changeHandler: recorder.receives("late")))
      if isRolledBack { refuse(release) } else { release() }
    }
    #expect(recorder.take() == ["first 10→1", "late 11→1", "first 1→1"])
    withExtendedLifetime((tokens, shelf)) {}
  }

  @Test(
    "P27, P53: a deallocation in a rollback starts from the value of the observers before it",
    arguments: [false, true])
  func lateObserverInRollback(isBehindDeallocation: Bool) {
    let reader = Reader()
    var shelf: Room? = Room(4)
    reader.room = shelf
    func observe(_ name: String) -> KeyValueObservation {
      reader.observe(\.sum, options: options, changeHandler: recorder.receives(name))
    }
    var tokens = [observe("first")]
    refuse {
      reader.pages = 1
      if isBehindDeallocation { shelf = nil }
      tokens.append(observe("late"))
      shelf = nil
    }
    #expect(recorder.take() == ["late \(isBehindDeallocation ? 1 : 5)→0", "first 4→0"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P27, P53: an observer that is registered behind a deallocation does not receive it",
    arguments: [false, true])
  func observerBehindDeallocation(isRolledBack: Bool) {
    let reader = Reader()
    var shelf: Room? = Room(4)
    reader.room = shelf
    func observe(_ name: String) -> [KeyValueObservation] {
      [
        reader.observe(\.sum, options: options, changeHandler: recorder.receives("\(name) sum")),
        reader.observe(
          \.room?.number, options: options, changeHandler: recorder.receives("\(name) path")),
        reader.observe(\.room, options: options) { [recorder] _, change in
          recorder.write("\(name) room \(change.newValue.map { "\($0 as Any)" } ?? "-")")
        },
      ]
    }
    var tokens = observe("first")
    func run() {
      shelf = nil
      tokens += observe("late")
    }
    if isRolledBack { refuse(run) } else { withKeyValueTransaction(run) }
    #expect(recorder.take() == ["first path 4→nil path", "first room nil", "first sum 4→0"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P27, P50, P54: a deallocation in a rollback starts from the value that was delivered last")
  func deallocationInRollback() {
    let reader = Reader()
    var shelf: Room? = Room(4)
    reader.room = shelf
    let tokens = [
      reader.observe(\.sum, options: options, changeHandler: recorder.receives("sum")),
      reader.observe(\.pages, options: .prior) { _, _ in },
    ]
    refuse {
      reader.pages = 5
      shelf = nil
    }
    #expect(recorder.take() == ["sum 4→0"])
    withExtendedLifetime((tokens, shelf)) {}
  }

  @Test("P52, P57: a change that is taken back does not count for whom others are made in its name")
  func takenBackChange() {
    var tokens = [guest.observe(\.price) { _, _ in }]
    withKeyValueTransaction {
      guest.nights = 1
      let late = guest.observe(\.price, options: options, changeHandler: recorder.receives("late"))
      tokens.append(late)
      withKeyValueTransaction(withoutNotifying: [late]) { guest.nights = 7 }
      try? withKeyValueTransaction {
        guest.nights = 5
        throw Refused()
      }
    }
    #expect(recorder.take() == [])
    guest.nights = 8
    #expect(recorder.take() == ["late 14→16"])
    withExtendedLifetime(tokens) {}
  }
}
