import Dispatch
import KeyValueObserving
import TestSupport
import Testing

/// Transactions, other threads, and actors.
@Suite struct TransactionThreadTests {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]

  @Test("P56: what runs on the thread by `DispatchQueue.sync` belongs to the transaction")
  func dispatchSync() {
    let deposit = Deposit()
    let queue = DispatchQueue(label: "inside")
    let tokens = [
      deposit.observe(\.x, options: options, changeHandler: recorder.receives("x")),
      deposit.observe(\.sum, options: options, changeHandler: recorder.receives("sum")),
    ]
    withKeyValueTransaction {
      deposit.y = 1
      queue.sync {
        deposit.x = 1
        withKeyValueTransaction { deposit.x = 2 }
      }
      #expect(recorder.take() == [])
    }
    #expect(recorder.take() == ["x 0→2", "sum 0→3"])
    try? withKeyValueTransaction {
      try queue.sync {
        deposit.x = 7
        throw Refused()
      }
    }
    #expect(deposit.x == 2)
    #expect(recorder.take() == [])
    withExtendedLifetime(tokens) {}
  }

  @Test("P56: a transaction in one that another thread has open is of its own thread")
  func transactionOfOtherThread() {
    nonisolated(unsafe) let deposit = Deposit()
    nonisolated(unsafe) let recorder = recorder
    let tokens = [
      deposit.observe(\.x, options: options, changeHandler: recorder.receives("x")),
      deposit.observe(\.y, options: options, changeHandler: recorder.receives("y")),
    ]
    withKeyValueTransaction {
      deposit.x = 1
      onThread {
        withKeyValueTransaction {
          deposit.y = 1
          deposit.y = 2
          #expect(recorder.take() == [])
        }
        #expect(recorder.take() == ["y 0→2"])
        try? withKeyValueTransaction {
          deposit.y = 3
          throw Refused()
        }
      }
      #expect((deposit.x, deposit.y) == (1, 2))
      #expect(recorder.take() == [])
    }
    #expect(recorder.take() == ["x 0→1"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P56: a rollback restores over what another thread has stored, which was delivered there",
    arguments: [false, true])
  func rollbackOverOtherThread(isChangedBefore: Bool) {
    nonisolated(unsafe) let deposit = Deposit()
    nonisolated(unsafe) let recorder = recorder
    let tokens = [
      deposit.observe(\.x, options: options, changeHandler: recorder.receives("x")),
      deposit.observe(\.y, options: options, changeHandler: recorder.receives("y")),
    ]
    try? withKeyValueTransaction {
      if isChangedBefore { deposit.x = 1 }
      onThread {
        deposit.x = 5
        deposit.y = 6
      }
      #expect(recorder.take() == [isChangedBefore ? "x 1→5" : "x 0→5", "y 0→6"])
      if !isChangedBefore { deposit.x = 1 }
      throw Refused()
    }
    // The value that the transaction has found before its first change.
    #expect(deposit.x == (isChangedBefore ? 0 : 5))
    #expect(deposit.y == 6)
    #expect(recorder.take() == [])
    withExtendedLifetime(tokens) {}
  }

  @MainActor
  @Test("P40, P56: an actor receives the changes of a transaction of another thread in a row")
  func changesOfActor() async {
    nonisolated(unsafe) let deposit = Deposit()
    nonisolated(unsafe) let recorder = Recorder()
    let tokens = [
      deposit.observe(\.x, options: [.old, .new]) { recorder.write("x", $1) },
      deposit.observe(\.y, options: [.old, .new, .prior]) { recorder.write("y", $1) },
      deposit.observe(\.sum, options: [.old, .new]) { recorder.write("sum", $1) },
    ]
    // The actor waits meanwhile.
    onThread {
      withKeyValueTransaction {
        deposit.x = 1
        deposit.y = 2
        deposit.x = 3
        try? withKeyValueTransaction {
          deposit.y = 9
          throw Refused()
        }
      }
      Task { @MainActor in recorder.write("other work") }
    }
    #expect(recorder.take() == [])
    while recorder.history.count < 4 { await Task.yield() }
    let (changes, other) = (["x 0→3", "y 0→2", "sum 0→5"], ["other work"])
    #expect([changes + other, other + changes].contains(recorder.take()))
    withExtendedLifetime(tokens) {}
  }

  @MainActor
  @Test("P40, P50, P56: nothing is handed over to an actor of a transaction that is rolled back")
  func rollbackForActor() async {
    nonisolated(unsafe) let deposit = Deposit()
    let recorder = Recorder()
    let token = deposit.observe(\.x, options: [.old, .new]) { recorder.write("x", $1) }
    onThread {
      try? withKeyValueTransaction {
        deposit.x = 1
        throw Refused()
      }
      deposit.x = 2
    }
    while recorder.history.isEmpty { await Task.yield() }
    #expect(recorder.take() == ["x 0→2"])
    withExtendedLifetime(token) {}
  }

  @MainActor
  @Test("P40, P44: on its actor, a transaction is delivered before it returns, behind what waits")
  func transactionOnActor() {
    nonisolated(unsafe) let deposit = Deposit()
    let recorder = Recorder()
    let tokens = [
      deposit.observe(\.x, options: [.old, .new]) { recorder.write("x", $1) },
      deposit.observe(\.y, options: [.old, .new]) { recorder.write("y", $1) },
    ]
    onThread { withKeyValueTransaction { deposit.x = 1 } }
    withKeyValueTransaction {
      deposit.y = 2
      deposit.x = 3
    }
    #expect(recorder.take() == ["x 0→1", "y 0→2", "x 1→3"])
    withExtendedLifetime(tokens) {}
  }
}
