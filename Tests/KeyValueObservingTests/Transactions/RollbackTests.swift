import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private class Shape {
  var size = 1
  var marks: [Int] = []
}

@KeyValueObservable
private final class Square: Shape {
  override var size: Int {
    get { super.size * 10 }
    set { super.size = newValue / 10 }
  }
}

@KeyValueObservable
private final class Lamp {
  var count = 0
  var isOn = false {
    didSet { count += 1 }
  }
}

@KeyValueObservable
private final class Room {
  var floor = 0
}

@KeyValueObservable
private final class Lodger {
  unowned var room: Room
  var name = "a"
  var floor: Int { room.floor }
  init(in room: Room) { self.room = room }
}

/// Keeps a log in a dictionary.
@KeyValueObservable
private final class LoggingLamp {
  var isOn = false {
    didSet { if !isOn { try? log.mutableArrayValue(forKey: "off").append(1) } }
  }
  @KeyValueIgnored let log = KeyValueDictionary()
}

/// Sets another property when it is switched off.
@KeyValueObservable
private final class MarkingLamp {
  var mark = 0
  var isOn = false {
    didSet { if !isOn { mark = 9 } }
  }
}

@Suite struct Rollbacks {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]

  @Test("P50: an error takes everything back, observed or not, and observers receive nothing")
  func rollBack() {
    let (account, other) = (Deposit(), Deposit())
    let dictionary = KeyValueDictionary(["a": 1])
    let owner = Deposit()
    account.owner = owner
    let square = Square()
    square.size = 50
    let tokens = [
      account.observe(\.x, options: options, changeHandler: recorder.receives("x")),
      account.observe(\.sum, options: options, changeHandler: recorder.receives("sum")),
    ]
    #expect(throws: Refused.self) {
      try withKeyValueTransaction {
        account.x = 1
        account.tags.append("t")
        other.tags = ["u"]
        other.name = "changed"
        other.next = Deposit()
        account.owner = other
        dictionary["a"] = 2
        dictionary["b"] = 3
        square.size = 80
        square.marks.append(1)
        throw Refused()
      }
    }
    #expect(recorder.take() == [])
    #expect(account.x == 0)
    #expect(account.tags == [])
    #expect(account.owner === owner)
    #expect(other.tags == [])
    #expect(other.name == "a")
    #expect(other.next == nil)
    #expect(dictionary["a"] as? Int == 1)
    #expect(Array(dictionary.keys) == ["a"])
    #expect(square.size == 50)
    #expect(square.marks == [])
    account.x = 5
    #expect(recorder.take() == ["x 0→5", "sum 0→5"])
    withExtendedLifetime((tokens, account, owner)) {}
  }

  @Test("P50: what `didSet` sets while values are put back has no effect")
  func didSet() {
    let lamp = Lamp()
    #expect(throws: Refused.self) {
      try withKeyValueTransaction {
        lamp.isOn = true
        lamp.count = 10
        throw Refused()
      }
    }
    #expect(!lamp.isOn)
    #expect(lamp.count == 0)
  }

  @Test("P50: a class that is written by hand is put back by its setters")
  func handWritten() {
    let node = HandWrittenNode()
    let token = node.observe(\.count, options: options, changeHandler: recorder.receives("count"))
    let former = node.count
    #expect(throws: Refused.self) {
      try withKeyValueTransaction {
        node.count = former + 1
        throw Refused()
      }
    }
    #expect(node.count == former)
    withKeyValueTransaction { node.count = former + 2 }
    #expect(recorder.take() == ["count \(former)→\(former + 2)"])
    withExtendedLifetime((token, node)) {}
  }

  @Test("P50: `onError: .deliver` keeps and delivers what was done")
  func deliverOnError() {
    let account = Deposit()
    let token = account.observe(\.x, options: options, changeHandler: recorder.receives("x"))
    #expect(throws: Refused.self) {
      try withKeyValueTransaction(onError: .deliver) {
        account.x = 1
        throw Refused()
      }
    }
    #expect(recorder.take() == ["x 0→1"])
    #expect(account.x == 1)
    withExtendedLifetime((token, account)) {}
  }

  @Test("P52: what an inner transaction has changed alone is not changed if it is rolled back")
  func nested() {
    let account = Deposit()
    let tokens = [
      account.observe(\.x, options: options, changeHandler: recorder.receives("x")),
      account.observe(\.y, options: options, changeHandler: recorder.receives("y")),
      account.observe(\.sum, options: options, changeHandler: recorder.receives("sum")),
    ]
    withKeyValueTransaction {
      account.x = 1
      try? withKeyValueTransaction {
        account.x = 2
        account.y = 3
        throw Refused()
      }
      #expect(account.x == 1)
      #expect(account.y == 0)
      withKeyValueTransaction { account.name = "n" }
    }
    #expect(recorder.take() == ["x 0→1", "sum 0→1"])
    #expect(throws: Refused.self) {
      try withKeyValueTransaction {
        withKeyValueTransaction { account.y = 9 }
        try? withKeyValueTransaction(onError: .deliver) {
          account.x = 5
          throw Refused()
        }
        #expect(account.x == 5)
        throw Refused()
      }
    }
    #expect(account.x == 1)
    #expect(account.y == 0)
    #expect(recorder.take() == [])
    withExtendedLifetime((tokens, account)) {}
  }

  @Test("P51: a value that cannot be put back is delivered, and named in one diagnostic")
  func unrestored() {
    let (room, study) = (Room(), Room())
    let lodger = Lodger(in: room)
    let tokens = [
      lodger.observe(\.room, options: [.new]) { _, change in
        recorder.write(change.newValue === study ? "room study" : "room other")
      },
      lodger.observe(\.name, options: options, changeHandler: recorder.receives("name")),
      lodger.observe(\.room.floor) { _, _ in recorder.write("path") },
      lodger.observe(\.floor) { _, _ in recorder.write("computed") },
    ]
    let reports = reportedIdentifiers {
      _ = #expect(throws: Refused.self) {
        try withKeyValueTransaction {
          lodger.name = "changed"
          lodger.room = study
          lodger.room = study
          throw Refused()
        }
      }
    }
    #expect(recorder.take() == ["room study", "path", "computed"])
    #expect(lodger.room === study)
    #expect(lodger.name == "a")
    #expect(reports == ["unrestoredValue"])
    withExtendedLifetime((tokens, room, study)) {}
  }

  @Test("P59: what didSet sets has no effect in an undo, though a prior handler has set it")
  func setInDidSetAfterPrior() throws {
    let lamp = MarkingLamp()
    let history = KeyValueHistory(of: lamp)
    let tokens = [
      lamp.observe(\.mark, options: options, changeHandler: recorder.receives("mark")),
      lamp.observe(\.isOn, options: .prior) { lamp, change in
        if change.isPrior, lamp.isOn { lamp.mark = 5 }
      },
    ]
    lamp.isOn = true
    try history.undo()
    #expect(!lamp.isOn && lamp.mark == 5)
    #expect(recorder.take() == ["mark 0→5"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P50, P59: what didSet edits in a dictionary has no effect while values are put back")
  func editOfEntryInDidSet() throws {
    let lamp = LoggingLamp()
    var isNotified = false
    let token = try lamp.log.observe("off", options: .new) { _, _ in isNotified = true }
    try? withKeyValueTransaction {
      lamp.isOn = true
      throw Refused()
    }
    #expect(lamp.log["off"] == nil)
    #expect(!isNotified)
    let history = KeyValueHistory(of: lamp)
    lamp.isOn = true
    try history.undo()
    #expect(lamp.log["off"] == nil)
    withExtendedLifetime(token) {}
  }
}
