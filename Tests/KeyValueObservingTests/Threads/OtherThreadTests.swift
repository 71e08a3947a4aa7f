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

/// Sets that threads make while another one has a transaction open.
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
}
