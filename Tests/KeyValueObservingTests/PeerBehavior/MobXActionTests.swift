// Behaviors of MobX, from `packages/mobx/__tests__/base/action.js`.
//
// Not ours: an action that throws keeps what it has done, which is `onError: .deliver` here; the
// default takes it back (P50). Actions have no names, are not bound to objects, and cannot be ended
// out of order, since a transaction is a closure. Computed values are evaluated when they are read,
// so none are kept alive or suspended. Closures of observers do not throw (P17). A getter may set
// properties, of which MobX warns.

import KeyValueObserving
import Testing

@KeyValueObservable
private final class Cell {
  var value = 0
  var factor = 3
  @KeyValueIgnored var evaluations = 0

  var doubled: Int { value * 2 }

  var squared: Int {
    evaluations += 1
    return value * value
  }

  /// Keeps what it computes in another property, in a transaction of its own.
  var next: Int {
    let next = value + 1
    withKeyValueTransaction { factor = next }
    return next
  }
}

extension PeerBehavior {
  @Suite struct MobXActions {
    private let journal = Journal()
    private let cell = Cell()

    @Test("P44: what is set first and then corrected is one change")
    func wrapsInTransaction() {
      journal.follow(cell, \.value)
      func increment(by amount: Int) {
        withKeyValueTransaction {
          cell.value += amount * 2
          cell.value -= amount
        }
      }
      increment(by: 7)
      increment(by: 1)
      #expect(journal.take() == ["value 0→7", "value 7→8"])
    }

    @Test("P44: a transaction returns the value of its closure, and each one notifies")
    func result() {
      journal.follow(cell, \.value)
      let results = [12, 10].map { amount in
        withKeyValueTransaction {
          cell.value += amount
          cell.value -= 3
          return amount / 5
        }
      }
      #expect(results == [2, 2])
      #expect(journal.take() == ["value 0→9", "value 9→16"])
    }

    @Test("P46: changes of a transaction reach observers of computed keys, one after the other")
    func computed() {
      journal.follow(cell, \.doubled)
      for _ in 0..<2 {
        withKeyValueTransaction { cell.value += 1 }
      }
      #expect(journal.take() == ["doubled 0→2", "doubled 2→4"])
    }

    @Test(
      "P46: the getter of a computed key is evaluated at the end, once for all changes",
      arguments: [false, true])
    func evaluations(requestsOldValue: Bool) {
      journal.follow(cell, \.squared, requestsOldValue ? [.old, .new] : .new)
      cell.evaluations = 0
      withKeyValueTransaction {
        for _ in 0..<10 { cell.value += 1 }
      }
      // The old value is evaluated before the first change.
      #expect(cell.evaluations == (requestsOldValue ? 2 : 1))
      #expect(cell.squared == 100)
      #expect(journal.take().count == 1)
    }

    @Test("P21: what a handler reads in a transaction is no dependency of its observation")
    func untracked() {
      cell.observe(\.value, options: .initial) { cell, _ in
        withKeyValueTransaction { cell.factor = cell.value * 2 }
        journal.write("\(cell.value) \(cell.factor)")
      }.store(in: &journal.tokens)
      cell.value = 7
      #expect(journal.take() == ["0 0", "7 14"])
      cell.factor = 1
      #expect(journal.take() == [])
      #expect(cell.factor == 1)
      cell.value = 3
      #expect(journal.take() == ["3 6"])
    }

    @Test("P1, P53: observers that transactions register receive `initial`, and later changes")
    func registering() {
      cell.value = 1
      func adder(of increment: Int) -> KeyValueObservation {
        withKeyValueTransaction {
          cell.observe(\.value, options: [.initial, .new]) { _, change in
            journal.write("\(change.newValue! + increment)")
          }
        }
      }
      let first = adder(of: 2)
      cell.value = 3
      let second = adder(of: 17)
      cell.value = 24
      first.invalidate()
      cell.value = 11
      second.invalidate()
      cell.value = 100
      #expect(journal.take() == ["3", "5", "20", "26", "41", "28"])
    }

    @Test("P21, P44: a property that a getter sets in a transaction is no dependency of it")
    func transactionInGetter() {
      journal.follow(cell, \.next)
      cell.value = 4
      #expect(journal.take() == ["next 1→5"])
      #expect(cell.factor == 5)
      cell.factor = 9
      #expect(journal.take() == [])
      #expect(cell.next == 5)
    }

    @Test(
      "P50: an error leaves nothing behind, so later transactions notify as ever",
      arguments: [KeyValueTransactionErrorPolicy.rollBack, .deliver])
    func errors(policy: KeyValueTransactionErrorPolicy) throws {
      journal.follow(cell, \.value)
      func increment() throws {
        try withKeyValueTransaction(onError: policy) {
          cell.value += 1
          if cell.value == 2 { throw Refused() }
        }
      }
      try increment()
      #expect(throws: Refused.self) { try increment() }
      #expect(journal.take() == ["value 0→1"] + (policy == .deliver ? ["value 1→2"] : []))
      cell.value = 2
      _ = journal.take()
      try increment()
      #expect(journal.take() == ["value 2→3"])
    }

    @Test("P50: an error of a transaction in a handler is one of that handler")
    func errorInHandler() {
      cell.observe(\.value) { cell, _ in
        try? withKeyValueTransaction {
          cell.factor = 0
          throw Refused()
        }
      }.store(in: &journal.tokens)
      journal.follow(cell, \.factor)
      journal.follow(cell, \.value)
      withKeyValueTransaction { cell.value = 4 }
      #expect(cell.factor == 3)
      #expect(journal.take() == ["value 0→4"])
    }
  }
}
