import KeyValueObserving
import Testing

/// Counts how often its level is read.
private final class Dipstick: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  var readCount = 0

  static func keyValueProperties() -> [KeyValueProperty] {
    [
      .stored("level", \Dipstick.level), .stored("mark", \Dipstick.mark),
      .stored("note", \Dipstick.note, isReadOnly: true),
    ]
  }

  private var storedLevel = 0
  var level: Int {
    get {
      readCount += 1
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access("level", of: self) }
      return storedLevel
    }
    set {
      if keyValueRegistrar.isObserved {
        keyValueRegistrar.set(
          "level", of: self, to: newValue,
          read: {
            readCount += 1
            return storedLevel
          }, write: { storedLevel = $0 })
      } else {
        storedLevel = newValue
      }
    }
  }

  private var storedMark = 0
  /// Has no setter in the list.
  var mark: Int {
    if KeyValueRegistrar.isTracking { keyValueRegistrar.access("mark", of: self) }
    return storedMark
  }

  func setMark(_ value: Int) {
    keyValueRegistrar.set(
      "mark", of: self, to: value, read: { storedMark }, write: { storedMark = $0 })
  }

  private var storedNote = ""
  private(set) var note: String {
    get {
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access("note", of: self) }
      return storedNote
    }
    set {
      keyValueRegistrar.set(
        "note", of: self, to: newValue, read: { storedNote }, write: { storedNote = $0 })
    }
  }

  func setNote(_ value: String) { note = value }
}

/// Has an array that a proxy edits by its setter.
private final class Rack: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()

  static func keyValueProperties() -> [KeyValueProperty] {
    [.stored("dipsticks", \Rack.dipsticks)]
  }

  private var storedDipsticks: [Dipstick] = []
  var dipsticks: [Dipstick] {
    get {
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access("dipsticks", of: self) }
      return storedDipsticks
    }
    set {
      keyValueRegistrar.set(
        "dipsticks", of: self, to: newValue, read: { storedDipsticks },
        write: { storedDipsticks = $0 })
    }
  }
}

/// Transactions with classes that are written by hand.
@Suite struct HandWrittenInTransactionTests {
  private let recorder = Recorder()
  private let dipstick = Dipstick()

  @Test(
    "P15, P44: the new value of a class that is written by hand is read once, after the transaction"
  )
  func newValue() {
    let tokens = ["first", "second"].map {
      dipstick.observe(\.level, options: [.old, .new], changeHandler: recorder.receives($0))
    }
    var count = 0
    withKeyValueTransaction {
      for level in 1...3 { dipstick.level = level }
      count = dipstick.readCount
    }
    #expect(dipstick.readCount - count == 1)
    #expect(recorder.take() == ["first 0→3", "second 0→3"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P44: it is not read where no observer requests it, nor again for each set")
  func valueThatIsNotRequested() {
    let token = dipstick.observe(\.level, options: [], changeHandler: recorder.receives("level"))
    withKeyValueTransaction(onError: .deliver) { for level in 1...3 { dipstick.level = level } }
    #expect(dipstick.readCount == 0)
    #expect(recorder.take() == ["level →"])
    withKeyValueTransaction { for level in 1...3 { dipstick.level = level } }
    // The former value, which a rollback would put back.
    #expect(dipstick.readCount == 1)
    #expect(recorder.take() == ["level →"])
    withExtendedLifetime(token) {}
  }

  @Test("P50, P51: one that has no setter in the list is not put back, but delivered and named")
  func withoutSetter() {
    let tokens = [
      dipstick.observe(\.mark, options: [.old, .new], changeHandler: recorder.receives("mark")),
      dipstick.observe(\.level, options: [.old, .new], changeHandler: recorder.receives("level")),
    ]
    let identifiers = reportedIdentifiers {
      try? withKeyValueTransaction {
        dipstick.level = 1
        dipstick.setMark(1)
        dipstick.setMark(2)
        dipstick.setNote("changed")
        throw Refused()
      }
    }
    // One that key-value coding may not set has a setter in the list.
    #expect((dipstick.level, dipstick.mark, dipstick.note) == (0, 2, ""))
    #expect(recorder.take() == ["mark 0→2"])
    #expect(identifiers == ["unrestoredValue"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P46, P49: a path does not follow an element that is inserted, set and removed again")
  func removedElement() throws {
    let rack = Rack()
    rack.dipsticks = [dipstick]
    let token = try rack.observe(
      "dipsticks.level", options: [.old, .new], changeHandler: recorder.receives("levels"))
    let dipsticks = rack.mutableArrayValue(for: \.dipsticks)
    withKeyValueTransaction {
      let other = Dipstick()
      dipsticks.insert(other, at: 0)
      other.level = 1
      dipsticks.remove(at: 0)
    }
    #expect(recorder.take() == [])
    withExtendedLifetime(token) {}
  }
}
