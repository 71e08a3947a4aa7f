import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private final class Order {
  var fee = 0
  var price = 0
  var tax: Int { price / 10 }
  var total: Int { fee + price + tax }
}

@KeyValueObservable
private final class Choice {
  var isFirst = true
  var first = 0
  var second = 10
  var value: Int { isFirst ? first : second }
}

@Suite struct Transactions {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]

  @Test(
    "P46: a path whose object gives way to a value with other keys has changed", arguments: [0, 1])
  func pathThroughElements(setsBefore: Int) throws {
    let ada = KeyValueDictionary(["name": "Ada"])
    let book = KeyValueDictionary(["author": ada])
    let token = try book.observe(
      "author.name", options: .new, changeHandler: recorder.receives("names"))
    withKeyValueTransaction {
      for _ in 0..<setsBefore { ada["name"] = "Grace" }
      book["author"] = [ada] as [Any?]
    }
    let name = setsBefore == 0 ? "Ada" : "Grace"
    #expect(recorder.take() == ["names →[Optional(\"\(name)\")] path"])
    withExtendedLifetime(token) {}
  }

  @Test("P44: values are there at once, and observers receive one change at the end")
  func one() {
    let account = Deposit()
    let tokens = [
      account.observe(\.x, options: options, changeHandler: recorder.receives("x")),
      account.observe(\.sum, options: options, changeHandler: recorder.receives("sum")),
    ]
    let result = withKeyValueTransaction {
      account.x = 1
      account.x = 2
      account.y = 3
      #expect(account.sum == 5)
      #expect(recorder.take() == [])
      return account.x
    }
    #expect(result == 2)
    #expect(recorder.take() == ["x 0→2", "sum 0→5"])
    account.x = 7
    #expect(recorder.take() == ["x 2→7", "sum 5→10"])
    withExtendedLifetime((tokens, account)) {}
  }

  @Test("P45: what was set is delivered, also if the value is equal at the end")
  func equal() {
    let account = Deposit()
    let tokens = [
      account.observe(\.x, options: options, changeHandler: recorder.receives("x")),
      account.observe(
        \.x, options: [.old, .new, .distinct], changeHandler: recorder.receives("d")),
    ]
    withKeyValueTransaction {
      account.x = 1
      account.x = 0
    }
    #expect(recorder.take() == ["x 0→0"])
    withKeyValueTransaction { _ = account.x }
    #expect(recorder.take() == [])
    withExtendedLifetime((tokens, account)) {}
  }

  @Test("P46: keys in the order of their first change, then what depends on them, once")
  func order() {
    let account = Deposit()
    account.next = Deposit()
    let tokens = [
      account.observe(\.sum, options: options, changeHandler: recorder.receives("sum")),
      account.observe(\.y, options: options, changeHandler: recorder.receives("y")),
      account.observe(\.x, options: options, changeHandler: recorder.receives("x")),
      account.observe(\.next?.x, options: options, changeHandler: recorder.receives("path")),
      account.observe(\.next?.name, options: options, changeHandler: recorder.receives("leaf")),
    ]
    let former = account.next
    withKeyValueTransaction {
      account.y = 1
      former?.x = 4
      account.x = 2
      former?.x = 5
      former?.name = "b"
      account.next = Deposit()
      account.next?.x = 6
      account.y = 3
    }
    #expect(
      recorder.take() == [
        "y 0→3", "x 0→2", "sum 0→5", "path 0→6 path", "leaf a→a path",
      ])
    account.next?.x = 7
    former?.x = 8
    #expect(recorder.take() == ["path 6→7"])
    withKeyValueTransaction {
      account.next?.name = "c"
      account.next?.x = 9
    }
    #expect(recorder.take() == ["leaf a→c", "path 7→9"])
    withExtendedLifetime((tokens, account, former)) {}
  }

  @Test("P46: dependents follow with the first changed property that they depend on")
  func orderOfDependents() {
    let order = Order()
    let tokens = [
      order.observe(\.tax, options: options, changeHandler: recorder.receives("tax")),
      order.observe(\.total, options: options, changeHandler: recorder.receives("total")),
      order.observe(\.price, options: options, changeHandler: recorder.receives("price")),
    ]
    withKeyValueTransaction {
      order.price = 10
      order.fee = 1
    }
    #expect(recorder.take() == ["price 0→10", "tax 0→1", "total 0→12"])
    withKeyValueTransaction {
      order.fee = 2
      order.price = 20
    }
    #expect(recorder.take() == ["price 10→20", "total 12→24", "tax 1→2"])
    withExtendedLifetime((tokens, order)) {}
  }

  @Test("P47: prior notifications come before the first change, and each is followed by one change")
  func prior() {
    let account = Deposit()
    let tokens = [
      account.observe(\.x, options: [.old, .new, .prior], changeHandler: recorder.receives("x")),
      account.observe(\.x, options: options, changeHandler: recorder.receives("plain")),
      account.observe(
        \.sum, options: [.old, .new, .prior], changeHandler: recorder.receives("sum")),
    ]
    withKeyValueTransaction {
      account.x = 1
      #expect(recorder.take() == ["x 0→ prior", "sum 0→ prior"])
      account.x = 2
      account.y = 1
      #expect(recorder.take() == [])
    }
    #expect(recorder.take() == ["x 0→2", "plain 0→2", "sum 0→3"])
    #expect(throws: Refused.self) {
      try withKeyValueTransaction { () throws(Refused) in
        account.x = 4
        _ = recorder.take()
        throw Refused()
      }
    }
    #expect(recorder.take() == ["x 2→2", "sum 3→3"])
    withExtendedLifetime((tokens, account)) {}
  }

  @Test(
    "P48: what a callback sets behind a change that is not delivered yet is delivered behind it")
  func reentrant() {
    let account = Deposit()
    var isFirst = true
    let tokens = [
      account.observe(\.x, options: options) { account, change in
        recorder.receives("x")(account, change)
        guard isFirst else { return }
        isFirst = false
        account.y = 20
        account.name = "z"
      },
      account.observe(\.y, options: options, changeHandler: recorder.receives("y")),
      account.observe(\.name, options: options, changeHandler: recorder.receives("name")),
      account.observe(\.sum, options: options, changeHandler: recorder.receives("sum")),
    ]
    withKeyValueTransaction {
      account.x = 1
      account.y = 2
    }
    #expect(
      recorder.take() == ["x 0→1", "name a→z", "y 0→2", "y 2→20", "sum 0→3", "sum 3→21"])
    withExtendedLifetime((tokens, account)) {}
  }

  @Test("P53: an observer that is registered inside starts from the value that it found")
  func registering() {
    let account = Deposit()
    let first = account.observe(\.x, options: options, changeHandler: recorder.receives("first"))
    var tokens: [KeyValueObservation] = []
    withKeyValueTransaction {
      account.x = 1
      tokens.append(
        account.observe(
          \.x, options: [.initial, .old, .new], changeHandler: recorder.receives("second")))
      #expect(recorder.take() == ["second →1"])
      account.x = 2
      tokens.append(
        account.observe(\.x, options: options, changeHandler: recorder.receives("third")))
    }
    #expect(recorder.take() == ["first 0→2", "second 1→2"])
    try? withKeyValueTransaction {
      account.x = 3
      tokens.append(
        account.observe(\.x, options: options, changeHandler: recorder.receives("fourth")))
      throw Refused()
    }
    #expect(recorder.take() == ["fourth 3→2"])
    withKeyValueTransaction {
      account.x = 4
      first.invalidate()
    }
    #expect(recorder.take() == ["second 2→4", "third 2→4", "fourth 2→4"])
    withExtendedLifetime((tokens, account)) {}
  }

  @Test("P53: a late observer receives a rollback of what its computed key does not read any more")
  func formerInput() {
    let choice = Choice()
    let former = choice.observe(\.value) { _, _ in }
    var token: KeyValueObservation?
    try? withKeyValueTransaction {
      choice.first = 1
      token = choice.observe(
        \.value, options: options, changeHandler: recorder.receives("value"))
      choice.isFirst = false
      // Evaluates the key.
      try? withKeyValueTransaction { throw Refused() }
      throw Refused()
    }
    #expect(recorder.take() == ["value 1→0"])
    withExtendedLifetime((former, token)) {}
  }

  @Test(
    "P54: what is deallocated inside is notified at the end, and what was changed lives until then")
  func deallocation() {
    let account = Deposit()
    var owner: Deposit? = Deposit()
    account.owner = owner
    let tokens = [
      account.observe(\.owner, options: [.new], changeHandler: recorder.receives("owner")),
      account.observe(\.x, options: options, changeHandler: recorder.receives("x")),
    ]
    withKeyValueTransaction {
      account.x = 1
      owner = nil
      #expect(account.owner == nil)
      #expect(recorder.take() == [])
    }
    #expect(recorder.take() == ["x 0→1", "owner →nil"])
    weak var gone: Deposit?
    withKeyValueTransaction {
      let short = Deposit()
      short.x = 3
      gone = short
    }
    #expect(gone == nil)
    withExtendedLifetime((tokens, account, owner)) {}
  }

  @Test(
    "P55: a pair that has begun before is a change of its own, one inside is a part of the transaction"
  )
  func pairs() {
    let account = Deposit()
    let tokens = [
      account.observe(\.x, options: options, changeHandler: recorder.receives("x")),
      account.observe(\.sum, options: options, changeHandler: recorder.receives("sum")),
    ]
    account.willChangeValue(for: \.x)
    withKeyValueTransaction {
      account.y = 1
      account.didChangeValue(for: \.x)
      #expect(recorder.take() == [])
    }
    #expect(recorder.take() == ["sum 0→1", "x 0→0", "sum 0→1"])
    withKeyValueTransaction {
      account.willChangeValue(for: \.x)
      account.didChangeValue(for: \.x)
      account.withMutation(of: \.x) { account.x = 3 }
      #expect(recorder.take() == [])
    }
    #expect(recorder.take() == ["x 0→3", "sum 1→4"])
    withKeyValueTransaction {
      account.willChangeValue(for: \.x)
    }
    account.didChangeValue(for: \.x)
    #expect(recorder.take() == ["x 3→3", "sum 4→4"])
    withExtendedLifetime((tokens, account)) {}
  }

  @Test("P57: an observation in whose name all changes are made is passed over")
  func withoutNotifying() {
    let account = Deposit()
    account.next = Deposit()
    let next = account.next!
    let own = account.observe(\.x, options: options, changeHandler: recorder.receives("own"))
    let sum = account.observe(
      \.sum, options: [.old, .new, .prior], changeHandler: recorder.receives("sum"))
    let path = account.observe(
      \.next?.x, options: options, changeHandler: recorder.receives("path"))
    let tokens = [account.observe(\.x, options: options, changeHandler: recorder.receives("x"))]
    withKeyValueTransaction(withoutNotifying: [own, sum, path]) {
      account.x = 1
      next.x = 1
    }
    #expect(recorder.take() == ["x 0→1"])
    withKeyValueTransaction(withoutNotifying: [own]) {
      account.x = 2
      withKeyValueTransaction(withoutNotifying: [path]) { next.x = 2 }
    }
    #expect(recorder.take() == ["sum 1→ prior", "x 1→2", "sum 1→2"])
    withKeyValueTransaction {
      withKeyValueTransaction(withoutNotifying: [own, path]) {
        account.x = 3
        next.x = 3
      }
      account.x = 4
      account.next = Deposit()
    }
    #expect(
      recorder.take() == ["sum 2→ prior", "own 2→4", "x 2→4", "sum 2→4", "path 2→0 path"])
    withKeyValueTransaction(withoutNotifying: [own]) { account.y = 1 }
    account.x = 5
    #expect(
      recorder.take() == [
        "sum 4→ prior", "sum 4→5", "sum 5→ prior", "own 4→5", "x 4→5", "sum 5→6",
      ])
    withExtendedLifetime((tokens, own, sum, path, account)) {}
  }

  @Test("P56: nothing is left when a transaction has ended, and other threads deliver as ever")
  func threads() async {
    let account = Deposit()
    let token = account.observe(\.x, options: options, changeHandler: recorder.receives("x"))
    withKeyValueTransaction {
      #expect(isObserved(account))
      account.y = 1
      nonisolated(unsafe) let shared = account
      onThread { shared.x = 1 }
      #expect(recorder.take() == ["x 0→1"])
    }
    #expect(recorder.take() == [])
    withExtendedLifetime((token, account)) {}
  }

  private func isObserved(_ account: Deposit) -> Bool { account.keyValueRegistrar.isObserved }
}
