import KeyValueObserving
import Testing

private struct Reading {
  var number = 0
}

@KeyValueObservable private final class Measurement {
  var reading = Reading()
}

/// Observations that a transaction has passed over, and the values that they know.
@Suite struct PassedOver {
  @MainActor
  @Test(
    "P9, P40, P57: an observation of an actor that was passed over knows the value",
    arguments: [true, false])
  func ofActor(isOnActor: Bool) async {
    nonisolated(unsafe) let account = Deposit()
    var received: [Int] = []
    let token = account.observe(\.x, options: [.distinct, .new]) { _, change in
      received.append(change.newValue ?? -1)
    }
    let change: @Sendable () -> Void = {
      withKeyValueTransaction(withoutNotifying: [token]) { account.x = 1 }
      account.x = 2
      withKeyValueTransaction(withoutNotifying: [token]) { account.x = 3 }
      account.x = 4
      account.x = 3
      withKeyValueTransaction(withoutNotifying: [token]) { account.x = 5 }
      account.x = 5
      account.x = 3
    }
    if isOnActor { change() } else { await Task.detached { change() }.value }
    // Set on the actor, it is notified after all that waits.
    account.x = 6
    #expect(received == [2, 4, 3, 3, 6])
    withExtendedLifetime(token) {}
  }

  @Test("P9, P57: an observation is passed over whose values cannot be compared")
  func incomparable() {
    let object = Measurement()
    var count = 0
    let token = object.observe(\.reading, options: .distinct) { _, _ in count += 1 }
    withKeyValueTransaction(withoutNotifying: [token]) { object.reading = Reading(number: 1) }
    #expect(count == 0)
    object.reading = Reading(number: 1)
    #expect(count == 1)
    withExtendedLifetime(token) {}
  }

  @Test("P9, P57: elements that were edited while it was passed over are known")
  func edits() {
    let account = Deposit()
    var received: [[String]] = []
    let token = account.observe(\.tags, options: [.distinct, .new]) { object, _ in
      received.append(object.tags)
    }
    withKeyValueTransaction(withoutNotifying: [token]) {
      account.mutableArrayValue(for: \.tags).append("a")
    }
    account.tags = account.tags
    #expect(received == [])
    account.mutableArrayValue(for: \.tags).append("b")
    #expect(received == [account.tags])
    withExtendedLifetime(token) {}
  }

  @Test("P53, P57: an observation that is registered in a transaction may be named by a nested one")
  func registeredInside() {
    let account = Deposit()
    var received: [String] = []
    let former = [account.observe(\.x) { _, _ in }, account.observe(\.sum) { _, _ in }]
    var tokens: [KeyValueObservation] = []
    account.next = account
    withKeyValueTransaction {
      account.x = 1
      tokens = [
        account.observe(\.x, options: .new) { _, change in received.append("x \(change)") },
        account.observe(\.sum, options: .new) { _, change in received.append("sum \(change)") },
        account.observe(\.next?.sum, options: .new) { _, _ in received.append("path") },
        account.observe(\.sum, options: .prior) { _, change in received.append("prior") },
      ]
      withKeyValueTransaction(withoutNotifying: tokens) { account.x = 2 }
    }
    #expect(received == [])
    account.x = 3
    #expect(received == ["prior", "x setting to 3", "sum setting to 3", "path", "prior"])
    account.next = nil
    withExtendedLifetime((former, tokens)) {}
  }

  @Test(
    "P47, P57: what was put back does not concern an observation that no prior notification reached"
  )
  func putBackWithoutPrior() {
    let (account, other) = (Deposit(), Deposit())
    account.next = other
    var count = 0
    let token = account.observe(\.next?.sum, options: [.old, .prior]) { _, _ in count += 1 }
    withKeyValueTransaction {
      withKeyValueTransaction(withoutNotifying: [token]) {
        account.withMutation(of: \.next) {}
      }
      try? withKeyValueTransaction {
        other.x = 1
        throw Refused()
      }
    }
    #expect(count == 0)
    withExtendedLifetime((token, account)) {}
  }

  @Test(
    "P46, P57: a path is notified of a computed key that it has left, if that was changed without its name"
  )
  func leftComputedKey() {
    let (account, other) = (Deposit(), Deposit())
    account.next = other
    var received: [Int?] = []
    let token = account.observe(\.next?.sum, options: .new) { _, change in
      received.append(change.newValue ?? nil)
    }
    withKeyValueTransaction {
      withKeyValueTransaction(withoutNotifying: [token]) { account.next = nil }
      other.x = 1
    }
    #expect(received == [nil])
    withExtendedLifetime((token, account)) {}
  }

  @Test(
    "P11, P57: what an observer changes is delivered to an observation that was passed over before",
    arguments: [true, false])
  func changeByObserver(isPair: Bool) {
    let account = Deposit()
    var received: [Int?] = []
    var count = 0
    let token = account.observe(\.sum, options: .new) { received.append($1.newValue) }
    let other = account.observe(\.sum) { account, _ in
      count += 1
      if count > 1 { return }
      if !isPair { return account.x = 2 }
      account.willChangeValue(for: \.sum)
      account.didChangeValue(for: \.sum)
    }
    withKeyValueTransaction(withoutNotifying: [token]) { account.x = 1 }
    #expect(received == [isPair ? 1 : 2])
    withExtendedLifetime((token, other)) {}
  }

  @Test("P35, P57: an array that is edited in a transaction is not copied for its observers")
  func editWithoutCopy() {
    let account = Deposit()
    account.tags = ["a"]
    account.tags.reserveCapacity(8)
    let token = account.observe(\.tags, options: .new) { _, _ in }
    let address = account.tags.withUnsafeBufferPointer { $0.baseAddress }
    withKeyValueTransaction {
      account.mutableArrayValue(for: \.tags).append("b")
      #expect(account.tags.withUnsafeBufferPointer { $0.baseAddress } == address)
    }
    withExtendedLifetime(token) {}
  }
}
