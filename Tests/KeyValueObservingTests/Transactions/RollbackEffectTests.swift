import KeyValueObserving
import Testing

/// Keys whose setters do not notify, one notified manually.
@KeyValueObservable
private final class Silent {
  var level = 0
  var marks: [Int] = []
  private(set) var count = 0

  static func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }

  func notifyOfLevel(_ value: Int) { withMutation(of: \.level) { level = value } }
  func setCount(_ value: Int) { count = value }
}

/// Counts the calls of its computed setters.
@KeyValueObservable
private class KitchenScale {
  var grams = 0
  var size = 1
  var kilograms: Int {
    get { grams / 1000 }
    set {
      setterCount += 1
      grams = newValue * 1000
    }
  }
  @KeyValueIgnored var setterCount = 0
}

@KeyValueObservable
private final class WideKitchenScale: KitchenScale {
  override var size: Int {
    get { super.size * 10 }
    set {
      setterCount += 1
      super.size = newValue / 10
    }
  }
}

/// Its `willSet` sets its own properties and those of others.
@KeyValueObservable
private final class Switch {
  @KeyValueIgnored let other: Deposit
  @KeyValueIgnored private(set) var callCount = 0
  var mark = 0
  var marks: [Int] = []
  var isOn = false {
    willSet {
      callCount += 1
      guard !newValue else { return }
      mark += 10
      marks.append(1)
      other.x += 1
      other.tags.append("t")
      other.next = Deposit()
    }
  }

  init(_ other: Deposit) { self.other = other }
}

/// Effects of a rollback beside the values that it puts back.
@Suite struct RollbackEffectTests {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]

  @Test("P18, P47, P50: prior handlers of many keys may each set another one while it is put back")
  func settingPriors() {
    let deposits = (0..<150).map { _ in Deposit() }
    var (tokens, count): ([KeyValueObservation], Int) = ([], 0)
    try? withKeyValueTransaction {
      for deposit in deposits { deposit.x = 1 }
      tokens = deposits.map {
        $0.observe(\.x, options: .prior) { deposit, change in
          guard change.isPrior else { return }
          count += 1
          deposit.y += 1
        }
      }
      throw Refused()
    }
    #expect(count == deposits.count)
    #expect(deposits.allSatisfy { $0.x == 0 && $0.y == 0 })
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P20, P50: properties whose setters do not notify are put back", arguments: [false, true])
  func silentKeys(isObserved: Bool) {
    let silent = Silent()
    let tokens =
      isObserved
      ? [
        silent.observe(\.level, options: options, changeHandler: recorder.receives("level")),
        silent.observe(\.marks, options: options, changeHandler: recorder.receives("marks")),
        silent.observe(\.count, options: options, changeHandler: recorder.receives("count")),
      ] : []
    let identifiers = reportedIdentifiers {
      try? withKeyValueTransaction {
        silent.notifyOfLevel(1)
        silent.level = 2
        silent.notifyOfLevel(3)
        silent.marks.append(1)
        silent.mutableArrayValue(for: \.marks).append(2)
        silent.setCount(4)
        throw Refused()
      }
    }
    #expect((silent.level, silent.marks, silent.count) == (0, [], 0))
    #expect(identifiers == [])
    #expect(recorder.take() == [])
    silent.notifyOfLevel(5)
    #expect(recorder.take() == (isObserved ? ["level 0→5"] : []))
    withExtendedLifetime(tokens) {}
  }

  @Test("P50: a rollback calls no setter of a computed property", arguments: [false, true])
  func computedSetters(isObserved: Bool) {
    let scale = WideKitchenScale()
    scale.size = 20
    scale.kilograms = 1
    let tokens =
      isObserved
      ? [
        scale.observe(
          \.kilograms, options: options, changeHandler: recorder.receives("kilograms")),
        scale.observe(\.size, options: options, changeHandler: recorder.receives("size")),
      ] : []
    scale.setterCount = 0
    try? withKeyValueTransaction {
      scale.kilograms = 3
      scale.size = 70
      #expect((scale.grams, scale.size) == (3000, 70))
      throw Refused()
    }
    #expect(scale.setterCount == 2)
    #expect((scale.grams, scale.kilograms, scale.size) == (1000, 1, 20))
    #expect(recorder.take() == [])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P50: what `willSet` sets in observable objects while a value is put back has no effect",
    arguments: [false, true])
  func willSet(isObserved: Bool) {
    let other = Deposit()
    let lamp = Switch(other)
    let tokens =
      isObserved
      ? [
        lamp.observe(\.isOn, options: options, changeHandler: recorder.receives("isOn")),
        lamp.observe(\.mark, options: options, changeHandler: recorder.receives("mark")),
        lamp.observe(\.marks, options: options, changeHandler: recorder.receives("marks")),
        other.observe(\.x, options: options, changeHandler: recorder.receives("x")),
        other.observe(\.tags, options: options, changeHandler: recorder.receives("tags")),
        other.observe(\.next?.x, options: options, changeHandler: recorder.receives("path")),
      ] : []
    try? withKeyValueTransaction {
      lamp.isOn = true
      throw Refused()
    }
    #expect(!lamp.isOn && lamp.callCount == 2)
    #expect((lamp.mark, lamp.marks) == (0, []))
    #expect((other.x, other.tags) == (0, []))
    #expect(other.next == nil)
    #expect(recorder.take() == [])
    withExtendedLifetime((tokens, other)) {}
  }

  @Test(
    "P50: with `.deliver` a value that no observer requests is released at once",
    arguments: [false, true])
  func releasedValue(isObserved: Bool) {
    let deposit = Deposit()
    deposit.next = Deposit()
    weak let former = deposit.next
    let tokens =
      isObserved
      ? [deposit.observe(\.next, options: [], changeHandler: recorder.receives("next"))] : []
    withKeyValueTransaction(onError: .deliver) {
      deposit.next = nil
      #expect(former == nil)
    }
    #expect(recorder.take() == (isObserved ? ["next →"] : []))
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P50: with `.deliver` one that is requested, or that a transaction around it records, is kept")
  func keptValue() {
    let deposit = Deposit()
    deposit.next = Deposit()
    weak let first = deposit.next
    withKeyValueTransaction {
      withKeyValueTransaction(onError: .deliver) { deposit.next = Deposit() }
      #expect(first != nil)
    }
    #expect(first == nil)
    weak let second = deposit.next
    let token = deposit.observe(\.next, options: .old) { [recorder] _, change in
      recorder.write("\(change.oldValue!! === second!)")
    }
    withKeyValueTransaction(onError: .deliver) { deposit.next = nil }
    #expect(recorder.take() == ["true"])
    #expect(second == nil)
    withExtendedLifetime(token) {}
  }
}
