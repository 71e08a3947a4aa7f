import KeyValueObserving
import Testing

/// Does not stay at zero.
private final class Buoy: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  static func keyValueProperties() -> [KeyValueProperty] { [.stored("level", \Buoy.level)] }

  private var storedLevel = 0
  var level: Int {
    get {
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access("level", of: self) }
      return storedLevel
    }
    set {
      keyValueRegistrar.set(
        "level", of: self, to: newValue, read: { storedLevel }, write: { storedLevel = $0 })
      if newValue == 0 { self.level = 7 }
    }
  }
}

@KeyValueObservable
private final class Echo {
  @KeyValueIgnored var whenSet: ((Echo) -> Void)?
  var level = 0 {
    didSet {
      let body = whenSet
      whenSet = nil
      body?(self)
    }
  }
}

/// The records of former values, from which a rollback puts them back.
@Suite struct FormerRecordTests {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]

  @Test("P50, P53: an observer that comes in an open pair, behind a set, receives a rollback")
  func registeredInPair() {
    let deposit = Deposit()
    var token: KeyValueObservation?
    try? withKeyValueTransaction {
      deposit.willChangeValue(for: \.x)
      withKeyValueTransaction { deposit.x = 1 }
      token = deposit.observe(\.x, options: options, changeHandler: recorder.receives("x"))
      deposit.didChangeValue(for: \.x)
      throw Refused()
    }
    #expect(deposit.x == 0)
    #expect(recorder.take() == ["x 1→0"])
    withExtendedLifetime(token) {}
  }

  @Test("P50, P53: so does one that comes between two sets in a didSet")
  func registeredInDidSet() {
    let echo = Echo()
    var token: KeyValueObservation?
    try? withKeyValueTransaction {
      echo.whenSet = { echo in
        echo.level = 2
        token = echo.observe(\.level, options: options, changeHandler: recorder.receives("level"))
        echo.level = 3
      }
      echo.level = 1
      throw Refused()
    }
    #expect(echo.level == 0)
    #expect(recorder.take() == ["level 2→0"])
    withExtendedLifetime(token) {}
  }

  @Test("P50: a weak property gets its object back, however much was set behind it")
  func manyRecords() {
    let (deposit, first, second) = (Deposit(), Deposit(), Deposit())
    let others = (0..<100).map { _ in Deposit() }
    deposit.owner = first
    let token = deposit.observe(\.owner, options: .new) { _, _ in }
    let identifiers = reportedIdentifiers {
      withKeyValueTransaction {
        deposit.owner = second
        try? withKeyValueTransaction {
          var third: Deposit? = Deposit()
          deposit.owner = third
          for other in others { other.x = 1 }
          third = nil
          #expect(deposit.owner == nil)
          throw Refused()
        }
        #expect(deposit.owner === second)
      }
    }
    #expect(identifiers == [])
    withExtendedLifetime((token, first, second)) {}
  }

  @Test("P50: what a setter that puts a value back sets in turn has no effect")
  func setInSetter() {
    let buoy = Buoy()
    try? withKeyValueTransaction {
      buoy.level = 1
      throw Refused()
    }
    #expect(buoy.level == 0)
    buoy.level = 0
    #expect(buoy.level == 7)
  }
}
