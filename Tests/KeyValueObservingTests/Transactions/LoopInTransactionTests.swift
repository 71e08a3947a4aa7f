import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

/// Callbacks that open transactions without end.
@Suite struct LoopInTransactionTests {
  private let recorder = Recorder()

  /// How often an observer is called that sets what it observes without end, and the diagnostics.
  private func callsOfLoop(
    _ begin: (Deposit) -> Void, _ set: @escaping (Deposit) -> Void
  ) -> (count: Int, identifiers: [String]) {
    let deposit = Deposit()
    var count = 0
    let tokens = [
      deposit.observe(\.x, options: .new) { deposit, _ in
        count += 1
        if count < 100_000 { set(deposit) }
      },
      deposit.observe(\.x, options: .new) { [recorder] _, change in
        _ = recorder.take()
        recorder.write("x", change)
      },
    ]
    let identifiers = reportedIdentifiers { begin(deposit) }
    // The other observer receives the final value.
    #expect(recorder.take() == ["x →\(deposit.x)"])
    withExtendedLifetime(tokens) {}
    return (count, identifiers)
  }

  @Test("P18, P48: a callback that changes its key in transactions without end is stopped as ever")
  func endlessTransactions() {
    let plain = callsOfLoop({ $0.x = 1 }) { $0.x += 1 }
    #expect(plain == (LoopLimit.generationLimit + 1, ["nonConvergence"]))
    func set(_ deposit: Deposit) { withKeyValueTransaction { deposit.x += 1 } }
    #expect(callsOfLoop(set, set) == plain)
    #expect(callsOfLoop({ $0.x = 1 }, set) == plain)
    #expect(callsOfLoop(set) { $0.x += 1 } == plain)
    // Also with other keys, and in nested transactions.
    #expect(
      callsOfLoop(set) { deposit in
        withKeyValueTransaction {
          deposit.y += 1
          set(deposit)
        }
      } == plain)
  }

  @Test("P18, P48: two callbacks that change each other's key in transactions are stopped")
  func mutualTransactions() {
    let deposit = Deposit()
    var count = 0
    let tokens = [
      deposit.observe(\.x, options: .new) { deposit, _ in
        count += 1
        if count < 100_000 { withKeyValueTransaction { deposit.y += 1 } }
      },
      deposit.observe(\.y, options: .new) { deposit, _ in
        withKeyValueTransaction { deposit.x += 1 }
      },
    ]
    let identifiers = reportedIdentifiers { withKeyValueTransaction { deposit.x = 1 } }
    #expect(identifiers == ["nonConvergence"])
    #expect(count < 2 * LoopLimit.generationLimit)
    withExtendedLifetime(tokens) {}
  }

  @Test("P18, P48: a callback that ends by itself receives all of its changes")
  func manyTransactions() {
    let deposit = Deposit()
    var received: [Int] = []
    let token = deposit.observe(\.x, options: .new) { deposit, change in
      received.append(change.newValue!)
      if deposit.x < LoopLimit.generationLimit { withKeyValueTransaction { deposit.x += 1 } }
    }
    let identifiers = reportedIdentifiers { withKeyValueTransaction { deposit.x = 1 } }
    #expect(identifiers == [])
    #expect(received == Array(1...LoopLimit.generationLimit))
    withExtendedLifetime(token) {}
  }
}
