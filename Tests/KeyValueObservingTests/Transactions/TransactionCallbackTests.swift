import KeyValueObserving
import TestSupport
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private final class Echo {
  var y = 0
  var x = 0 {
    didSet { withKeyValueTransaction { y = x } }
  }
}

@KeyValueObservable
private final class Dial {
  var level = 0 {
    didSet { clamp() }
  }
  func clamp() { if level > 9 { level = 9 } }
}

@KeyValueObservable
private final class Climber {
  var steps = 0 {
    didSet { bump() }
  }
  private func bump() { if steps < 100 { steps += 1 } }
}

@KeyValueObservable
private final class Basket {
  var items = [1, 2, 3]
}

@KeyValueObservable
private final class Member {}

@KeyValueObservable
private final class Club {
  var members: [Member] = []
  weak var favourite: Member?
}

@KeyValueObservable
private final class Silent {
  @KeyValueIgnored var raw = 0
  var level: Int { raw }
  static func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "level" }
}

/// Transactions whose callbacks, `didSet` and nested transactions change more.
@Suite struct TransactionCallbacks {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]

  @Test("P11, P48: a set behind a transaction in a callback waits for the change before it, too")
  func setBehindTransactionInCallback() {
    let (first, second, deposit) = (Deposit(), Deposit(), Deposit())
    let tokens = [
      first.observe(\.x) { _, _ in
        withKeyValueTransaction {
          second.x = 1
          deposit.y = 2
        }
      },
      second.observe(\.x) { _, _ in deposit.y = 3 },
      deposit.observe(\.y, options: [.old, .new], changeHandler: recorder.receives("y")),
    ]
    withKeyValueTransaction {
      first.x = 1
      deposit.y = 1
    }
    #expect(recorder.take() == ["y 0→1", "y 1→2", "y 2→3"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P50, P52: a transaction that `didSet` opens during a rollback is a part of it")
  func transactionInRollback() {
    let echo = Echo()
    let tokens = [
      echo.observe(\.x, options: options, changeHandler: recorder.receives("x")),
      echo.observe(\.y, options: options, changeHandler: recorder.receives("y")),
    ]
    try? withKeyValueTransaction {
      echo.x = 1
      throw Refused()
    }
    #expect(recorder.take() == [])
    #expect(echo.x == 0)
    #expect(echo.y == 0)
    echo.x = 2
    #expect(echo.y == 2)
    #expect(recorder.take() == ["y 0→2", "x 0→2"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P50: a property whose `didSet` sets it again through a method gets its value from before")
  func didSetOfItself() {
    let (dial, counter) = (Dial(), Climber())
    try? withKeyValueTransaction {
      dial.level = 50
      counter.steps = 98
      throw Refused()
    }
    #expect(dial.level == 0)
    #expect(counter.steps == 0)
  }

  @Test("P48: a transaction of a callback is delivered behind a change that waits")
  func transactionInCallback() {
    let account = Deposit()
    var isFirst = true
    let tokens = [
      account.onChange(of: \.x) { [unowned account] _ in
        guard isFirst else { return }
        isFirst = false
        withKeyValueTransaction { account.y = 20 }
      },
      account.observe(\.y, options: options, changeHandler: recorder.receives("y")),
    ]
    withKeyValueTransaction {
      account.x = 1
      account.y = 2
    }
    #expect(recorder.take() == ["y 0→2", "y 2→20"])
    withExtendedLifetime((tokens, account)) {}
  }

  @Test("P57: an observation is passed over by a transaction in a callback of the same key")
  func exclusionInCallback() {
    let account = Deposit()
    let passed = account.onChange(of: \.x) { recorder.write("passed \($0)") }
    let correcting = account.onChange(of: \.x) { [unowned account] value in
      guard value < 5 else { return }
      withKeyValueTransaction(withoutNotifying: [passed]) { account.x = 10 }
    }
    account.x = 1
    #expect(recorder.take() == ["passed 1"])
    #expect(account.x == 10)
    withExtendedLifetime((passed, correcting, account)) {}
  }

  @Test("P48, P11: a set behind a transaction of a callback keeps the order")
  func setBehindTransaction() {
    let account = Deposit()
    var isFirst = true
    let tokens = [
      account.observe(\.x, options: options) { account, change in
        recorder.write("\(change.oldValue!) \(change.newValue!)")
        guard isFirst else { return }
        isFirst = false
        withKeyValueTransaction {
          account.y = 1
          account.x = 10
        }
      },
      account.onChange(of: \.y) { [unowned account] _ in
        if account.x == 10 { account.x = 20 }
      },
    ]
    account.x = 1
    #expect(recorder.take() == ["0 1", "1 10", "10 20"])
    withExtendedLifetime((tokens, account)) {}
  }

  @Test("P53: a path that is registered in a prior notification follows the change")
  func registrationInPrior() {
    let account = Deposit()
    account.next = Deposit()
    var late: KeyValueObservation?
    let token = account.observe(\.next, options: [.prior]) { account, change in
      guard change.isPrior, late == nil else { return }
      late = account.observe(
        \.next?.x, options: [.old, .new], changeHandler: recorder.receives("late"))
    }
    withKeyValueTransaction {
      account.next = Deposit()
      account.next?.x = 3
    }
    #expect(recorder.take() == ["late 0→3 path"])
    account.next?.x = 5
    #expect(recorder.take() == ["late 3→5"])
    withExtendedLifetime((token, late, account)) {}
  }

  @Test("P35, P49: an edit is planned again after prior notifications")
  func editAfterPrior() {
    let basket = Basket()
    var isFirst = true
    let token = basket.observe(\.items, options: [.new, .prior]) { basket, change in
      if !change.isPrior { return recorder.receives("items")(basket, change) }
      guard isFirst else { return }
      isFirst = false
      basket.mutableArrayValue(for: \.items).insert(0, at: 0)
    }
    withKeyValueTransaction { basket.mutableArrayValue(for: \.items).append(4) }
    #expect(basket.items == [0, 1, 2, 3, 4])
    #expect(recorder.take() == ["items →[0, 4] insertion [0, 4]"])
    withExtendedLifetime(token) {}
  }

  @Test("P19, P44: a mutation block of a computed key is one change, with those of its inputs")
  func blockOfComputedKey() {
    let account = Deposit()
    let token = account.observe(\.sum, options: options, changeHandler: recorder.receives("sum"))
    withKeyValueTransaction { account.withMutation(of: \.sum) { account.x = 1 } }
    #expect(recorder.take() == ["sum 0→1"])
    withKeyValueTransaction {
      account.withMutation(of: \.sum) { account.x = 2 }
      account.y = 3
    }
    #expect(recorder.take() == ["sum 1→5"])
    withExtendedLifetime((token, account)) {}
  }

  @Test("P54: a deallocation in an in-place mutation is delivered at the end")
  func deallocationInMutation() {
    let club = Club()
    do {
      let member = Member()
      club.members = [member]
      club.favourite = member
    }
    let token = club.observe(\.favourite) { _, _ in recorder.write("gone") }
    withKeyValueTransaction(onError: .deliver) {
      club.members.removeAll()
      recorder.write("body ends")
    }
    #expect(recorder.take() == ["body ends", "gone"])
    withExtendedLifetime(token) {}
  }

  @Test(
    "P44, P54: a deallocation in an in-place mutation is one change with a set of the weak property"
  )
  func deallocationAfterSet() {
    let club = Club()
    club.members = [Member()]
    let token = club.observe(
      \.favourite, options: [.new], changeHandler: recorder.receives("favourite"))
    withKeyValueTransaction(onError: .deliver) {
      club.favourite = club.members[0]
      club.members.removeAll()
    }
    #expect(recorder.take() == ["favourite →nil"])
    withExtendedLifetime(token) {}
  }

  @Test("P50: a key of a dictionary that an edit, a block or a pair has made is missing again")
  func missingKey() throws {
    let dictionary = KeyValueDictionary()
    try? withKeyValueTransaction {
      try dictionary.mutableArrayValue(forKey: "tags").append("a")
      dictionary.withMutation(forKey: "block") { dictionary["block"] = 1 }
      throw Refused()
    }
    #expect(Array(dictionary.keys) == [])
  }

  @Test("P51: a key that is notified manually and cannot be set is delivered")
  func silentKey() {
    let silent = Silent()
    let token = silent.observe(\.level, options: [.new], changeHandler: recorder.receives("level"))
    KeyValueDiagnostics.withHandler({ _ in }) {
      try? withKeyValueTransaction {
        silent.withMutation(of: \.level) { silent.raw = 5 }
        throw Refused()
      }
    }
    #expect(recorder.take() == ["level →5"])
    withExtendedLifetime(token) {}
  }

  @Test("P52, P49, P57: what an inner transaction has done is forgotten with its rollback")
  func traces() {
    let basket = Basket()
    let account = Deposit()
    let passed = account.observe(\.x, options: options, changeHandler: recorder.receives("passed"))
    let token = basket.observe(\.items, options: options, changeHandler: recorder.receives("items"))
    withKeyValueTransaction {
      basket.mutableArrayValue(for: \.items).append(4)
      try? withKeyValueTransaction {
        basket.mutableArrayValue(for: \.items).append(5)
        throw Refused()
      }
      withKeyValueTransaction(withoutNotifying: [passed]) { account.x = 1 }
      try? withKeyValueTransaction {
        account.x = 2
        throw Refused()
      }
    }
    #expect(recorder.take() == ["items →[4] insertion [3]"])
    withKeyValueTransaction {
      basket.mutableArrayValue(for: \.items).append(6)
      try? withKeyValueTransaction {
        basket.mutableArrayValue(for: \.items).removeAll()
        throw Refused()
      }
      basket.mutableArrayValue(for: \.items).removeLast()
    }
    #expect(recorder.take() == [])
    #expect(basket.items == [1, 2, 3, 4])
    withExtendedLifetime((passed, token)) {}
  }

  @Test("P46: the reason is that of what has changed, not of what was put back")
  func reason() {
    let account = Deposit()
    let next = Deposit()
    account.next = next
    let tokens = [
      account.observe(\.next?.x, options: options, changeHandler: recorder.receives("path")),
      account.observe(\.next, options: [.prior]) { _, _ in },
    ]
    withKeyValueTransaction {
      next.x = 1
      try? withKeyValueTransaction {
        account.next = Deposit()
        throw Refused()
      }
    }
    #expect(recorder.take() == ["path 0→1"])
    withExtendedLifetime((tokens, account, next)) {}
  }

  @Test("P50: records of keys with names of one length have different hashes")
  func manyKeys() {
    let object = Deposit()
    let hashes = (0..<1000).map { number in
      "\(100_000 + number)".withKeyName {
        RecordKey($0, of: object).hashValue
      }
    }
    #expect(Set(hashes).count == 1000)
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    let keys = [composed, decomposed].map {
      $0.withKeyName { RecordKey($0, of: object).hashValue }
    }
    #expect(keys[0] == keys[1])
  }
  @Test("P54: deallocations in one transaction take linear time")
  func linearTimeOfDeallocations() {
    func time(_ count: Int) -> Duration {
      let deposits = (0..<count).map { _ in Deposit() }
      var owners = deposits.map { _ in Deposit() }
      for (deposit, owner) in zip(deposits, owners) { deposit.owner = owner }
      let tokens = deposits.flatMap {
        [$0.observe(\.x) { _, _ in }, $0.observe(\.owner) { _, _ in }]
      }
      let time = processorTime {
        withKeyValueTransaction {
          for deposit in deposits { deposit.x = 1 }
          owners = []
        }
      }
      withExtendedLifetime((tokens, owners)) {}
      return time
    }
    #expect(slowdown(at: 8000, measuring: time) < 10)
  }

  @Test("P55: open pairs take linear time")
  func linearTimeOfPairs() {
    func time(_ count: Int) -> Duration {
      let deposits = (0..<count).map { _ in Deposit() }
      let tokens = deposits.map { $0.observe(\.x, options: options) { _, _ in } }
      let time = processorTime {
        withKeyValueTransaction {
          for deposit in deposits { deposit.willChangeValue(for: \.x) }
          for deposit in deposits { deposit.didChangeValue(for: \.x) }
        }
      }
      withExtendedLifetime(tokens) {}
      return time
    }
    #expect(slowdown(at: 8000, measuring: time) < 10)
  }
}
