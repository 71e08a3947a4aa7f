import KeyValueObserving
import Testing

@KeyValueObservable
private final class Meter {
  var count = 1
  var other = 0
  var sum: Int { count + other }
  class func automaticallyNotifiesObserversOfCount() -> Bool { false }

  func notify(_ value: Int) {
    willChangeValue(for: \.count)
    count = value
    didChangeValue(for: \.count)
  }
}

/// Transactions that set a property whose setter does not notify, and notify its observers manually.
@Suite struct UnannouncedChanges {
  private let meter = Meter()
  private let recorder = Recorder()

  private func observe() -> KeyValueObservation {
    meter.observe(\.count, options: [.old, .new], changeHandler: recorder.receives("count"))
  }

  @Test(
    "P20, P50: observers that were there before receive nothing of what is rolled back",
    arguments: [false, true], [false, true])
  func rollBack(setsBefore: Bool, isBlock: Bool) {
    let tokens = [
      observe(),
      meter.observe(\.sum, options: [.old, .new], changeHandler: recorder.receives("sum")),
    ]
    #expect(throws: Refused.self) {
      try withKeyValueTransaction {
        if setsBefore { meter.count = 2 }
        if isBlock { meter.withMutation(of: \.count) { meter.count = 3 } } else { meter.notify(3) }
        throw Refused()
      }
    }
    #expect(recorder.take() == [])
    meter.notify(4)
    #expect(recorder.take() == ["count 1→4", "sum 1→4"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P47: observers that were registered after each of many sets receive prior notifications",
    arguments: [false, true])
  func manySets(isBlock: Bool) {
    var tokens: [KeyValueObservation] = []
    withKeyValueTransaction {
      for value in 2...150 {
        meter.count = value
        tokens.append(
          meter.observe(
            \.count, options: .prior, changeHandler: recorder.receives("\(value)")))
      }
      if isBlock { meter.withMutation(of: \.count) { meter.count = 0 } } else { meter.notify(0) }
    }
    let received = recorder.take()
    #expect(received.count(where: { $0.contains("prior") }) == tokens.count)
    #expect(received.count == 2 * tokens.count)
  }

  @Test("P52: so it is in an inner transaction, whose outer one has set the property")
  func innerTransaction() {
    let token = observe()
    withKeyValueTransaction {
      meter.count = 2
      #expect(throws: Refused.self) {
        try withKeyValueTransaction {
          meter.notify(3)
          throw Refused()
        }
      }
    }
    #expect(recorder.take() == [])
    #expect(meter.count == 2)
    withExtendedLifetime(token) {}
  }

  @Test(
    "P53: one that is registered behind such a set starts from it, and receives the former value")
  func registeredInside() throws {
    let token = observe()
    var late: KeyValueObservation?
    #expect(throws: Refused.self) {
      try withKeyValueTransaction {
        meter.count = 2
        late = meter.observe(
          \.count, options: [.initial, .old, .new], changeHandler: recorder.receives("late"))
        meter.notify(3)
        throw Refused()
      }
    }
    #expect(recorder.take() == ["late →2", "late 2→1"])
    withKeyValueTransaction {
      meter.count = 5
      meter.notify(6)
    }
    #expect(recorder.take() == ["count 5→6", "late 5→6"])
    withExtendedLifetime((token, late)) {}
  }

  @Test(
    "P53: so it does if the set was notified before, or is not", arguments: [false, true],
    [false, true])
  func registeredBehindNotification(isObserved: Bool, isNotified: Bool) {
    var tokens = isObserved ? [observe()] : []
    #expect(throws: Refused.self) {
      try withKeyValueTransaction {
        if isNotified { meter.notify(2) } else { meter.count = 2 }
        tokens.append(
          meter.observe(
            \.count, options: [.old, .new, .prior], changeHandler: recorder.receives("late")))
        tokens.append(
          meter.observe(\.sum, options: [.old, .new], changeHandler: recorder.receives("sum")))
        throw Refused()
      }
    }
    #expect(meter.count == 1)
    #expect(recorder.take() == ["late 2→ prior", "late 2→1", "sum 2→1"])
    meter.notify(3)
    #expect(
      recorder.take()
        == ["late 1→ prior"] + (isObserved ? ["count 1→3"] : []) + ["late 1→3", "sum 1→3"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P20: a set that is never notified is no change of a transaction")
  func setOnly() {
    let token = observe()
    withKeyValueTransaction { meter.count = 2 }
    #expect(recorder.take() == [])
    withExtendedLifetime(token) {}
  }

  @Test(
    "P20, P53: so does an observer of a key computed from it, whether or not others observe the key",
    arguments: [false, true], [false, true])
  func registeredAtComputedKey(isObserved: Bool, isBlock: Bool) {
    func observe(_ name: String) -> KeyValueObservation {
      meter.observe(\.sum, options: [.old, .new], changeHandler: recorder.receives(name))
    }
    func change(to value: Int) {
      if isBlock {
        meter.withMutation(of: \.count) { meter.count = value }
      } else {
        meter.notify(value)
      }
    }
    var tokens = isObserved ? [observe("sum")] : []
    try? withKeyValueTransaction {
      meter.count = 2
      tokens.append(observe("late"))
      tokens.append(observe("later"))
      change(to: 4)
      throw Refused()
    }
    #expect(recorder.take() == ["late 2→1", "later 2→1"])
    withKeyValueTransaction {
      meter.count = 2
      tokens.append(observe("third"))
      change(to: 5)
    }
    #expect(recorder.take().last == "third 2→5")
    withKeyValueTransaction {
      meter.count = 6
      tokens.append(observe("fourth"))
    }
    #expect(recorder.take() == [])
    change(to: 7)
    let changes = ["late 6→7", "later 6→7", "third 6→7", "fourth 6→7"]
    #expect(recorder.take() == (isObserved ? ["sum 6→7"] : []) + changes)
    withExtendedLifetime(tokens) {}
  }

  @Test("P20, P53: another input that changes later makes a change from the value that was found")
  func otherInput() {
    var tokens = [
      meter.observe(\.sum, options: [.old, .new], changeHandler: recorder.receives("sum"))
    ]
    withKeyValueTransaction {
      meter.count = 2
      tokens.append(
        meter.observe(\.sum, options: [.old, .new], changeHandler: recorder.receives("late")))
      meter.other = 10
    }
    #expect(recorder.take().last == "late 2→12")
    meter.other = 20
    #expect(recorder.take() == ["sum 12→22", "late 12→22"])
    withExtendedLifetime(tokens) {}
  }
}
