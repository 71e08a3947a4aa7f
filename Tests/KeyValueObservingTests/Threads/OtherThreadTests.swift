import Dispatch
import KeyValueObserving
import TestSupport
import Testing

@KeyValueObservable
private final class Member {
  var name: String
  init(_ name: String) { self.name = name }
}

@KeyValueObservable
private final class Team: @unchecked Sendable {
  var lead: Member?
  weak var star: Member?
  var names: String { "\(lead?.name ?? "-") \(star?.name ?? "-")" }
}

/// Guarded by the macro.
@KeyValueObservable
private final class Total: Sendable {
  var amount = 0
}

/// Guarded by the macro.
@KeyValueObservable
private final class Balance: Sendable {
  var checking = 0
  var savings = 0
  var total: Int { checking + savings }
}

private actor Auditor {
  private(set) var received: [String] = []
  private var tokens: [KeyValueObservation] = []

  func audit(_ balance: Balance) {
    let options: KeyValueObservation.Options = [.old, .new, .prior]
    tokens = [
      balance.observe(\.total, options: options) { _, change in self.receive("total", change) },
      balance.observe(\.checking, options: options) { _, change in
        self.receive("checking", change)
      },
      balance.observe(\.savings, options: options) { _, change in
        self.receive("savings", change)
      },
    ]
  }

  private func receive(_ name: String, _ change: KeyValueChange<Int>) {
    received.append("\(name) \(change.oldValue!)→\(change.newValue.map { "\($0)" } ?? "prior")")
  }

  func stop() { tokens = [] }
}

/// Sets that threads make while another one has a transaction open, and transactions off an actor.
@Suite struct OtherThreadTests {
  @Test("P11, P56: a set that releases an object is delivered before the deallocation, as ever")
  func deallocationInSet() {
    let team = Team()
    team.lead = Member("a")
    team.star = team.lead
    let changes = Guarded<[String]>([])
    let token = team.observe(\.names, options: [.old, .new], isolation: nil) { _, change in
      changes.withLock { $0.append("\(change.oldValue!)→\(change.newValue!)") }
    }
    withKeyValueTransaction {
      onThread { team.lead = nil }
    }
    #expect(changes.value == ["a a→- a", "- a→- -"])
    token.invalidate()
  }

  @Test("P38, P56: the old value of an atomic set is the one that it replaces")
  func oldValues() {
    let total = Total()
    let (sets, threads) = (5_000, 4)
    let replaced = Guarded<[Int]>([])
    let token = total.observe(\.amount, options: [.old, .new], isolation: nil) { _, change in
      replaced.withLock { $0.append(change.oldValue!) }
    }
    withKeyValueTransaction {
      onThread {
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
          for step in 1...sets { total.amount = thread * sets + step }
        }
      }
    }
    // Each value was replaced by one set, but for the last.
    #expect((replaced.value + [total.amount]).sorted() == Array(0...(sets * threads)))
    token.invalidate()
  }

  @Test("P46, P56: the one change of each observation is handed to its actor, in order")
  func handedOver() async {
    let balance = Balance()
    let auditor = Auditor()
    await auditor.audit(balance)
    withKeyValueTransaction {
      balance.savings = 5
      balance.checking = 1
      balance.checking = 2
    }
    while await auditor.received.count < 3 { await Task.yield() }
    #expect(await auditor.received == ["savings 0→5", "checking 0→2", "total 0→7"])
    await auditor.stop()
  }

  @Test("P67: a binding writes on the thread that changes a side, and belongs to no actor")
  @MainActor
  func binding() {
    let (first, second) = (Total(), Total())
    let binding = first.bind(\.amount, to: second, \.amount)
    let written = Guarded<[Int]>([])
    // The main actor waits for the thread.
    onThread {
      first.amount = 1
      written.withLock { $0.append(second.amount) }
      second.amount = 2
      written.withLock { $0.append(first.amount) }
    }
    #expect(written.value == [1, 2])
    withExtendedLifetime(binding) {}
  }
}
