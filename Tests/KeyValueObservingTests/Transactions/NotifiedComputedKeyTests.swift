import KeyValueObserving
import Testing

/// Notifies of a computed key itself, too.
@KeyValueObservable
private final class Meter {
  var x = 0
  var doubled: Int {
    get { 2 * x }
    set { x = newValue / 2 }
  }

  /// Runs the steps of a program: a digit sets `x`, `n` notifies of `doubled` manually, `w` and `d` are the halves
  /// of a pair, a mutation block of `doubled` stands in braces, and a nested transaction in parentheses, at whose
  /// end it is rolled back.
  func run(_ program: String) {
    var steps = Array(program)[...]
    withKeyValueTransaction { run(&steps) }
  }

  private func run(_ steps: inout ArraySlice<Character>) {
    while let step = steps.popFirst(), step != ")", step != "}" {
      switch step {
      case "n":
        willChangeValue(for: \.doubled)
        didChangeValue(for: \.doubled)
      case "w": willChangeValue(for: \.doubled)
      case "d": didChangeValue(for: \.doubled)
      case "(":
        try? withKeyValueTransaction {
          run(&steps)
          throw Refused()
        }
      case "{": withMutation(of: \.doubled) { run(&steps) }
      default: x = step.wholeNumberValue ?? 0
      }
    }
  }
}

@KeyValueObservable
private final class MeterHolder {
  var meter: Meter?
}

@KeyValueObservable
private class BasicLedger {
  var balance = 0
  var bonus = 0
}

/// Overrides what its own getter reads.
@KeyValueObservable
private final class BonusLedger: BasicLedger {
  override var balance: Int {
    get { super.balance + bonus }
    set { super.balance = newValue - bonus }
  }
}

/// Its computed key has no setter.
@KeyValueObservable
private final class Shelf {
  var books: [String] = []
  var count: Int { books.count }

  func notifyOfCount() {
    willChangeValue(for: \.count)
    didChangeValue(for: \.count)
  }
}

@Suite struct NotifiedComputedKeyTests {
  private let recorder = Recorder()

  @Test("P51, P52: a notification after an input starts from the value before the input")
  func notificationBehindInput() {
    let shelf = Shelf()
    let token = shelf.observe(
      \.count, options: [.old, .new], changeHandler: recorder.receives("count"))
    withKeyValueTransaction {
      let books = shelf.mutableArrayValue(for: \.books)
      books.append("a")
      shelf.notifyOfCount()
      books.removeLast()
    }
    #expect(recorder.take() == ["count 0→0"])
    try? withKeyValueTransaction {
      shelf.books = ["a"]
      shelf.notifyOfCount()
      throw Refused()
    }
    #expect(recorder.take() == ["count 0→0"])
    withExtendedLifetime(token) {}
  }

  @Test("P19, P55: a transaction in a block of a computed key is a part of that")
  func transactionInBlock() {
    let meter = Meter()
    let holder = MeterHolder()
    holder.meter = meter
    let tokens = [
      meter.observe(
        \.doubled, options: [.old, .new, .prior], changeHandler: recorder.receives("doubled")),
      holder.observe(
        \.meter?.doubled, options: [.old, .new], changeHandler: recorder.receives("path")),
    ]
    meter.withMutation(of: \.doubled) {
      withKeyValueTransaction {
        meter.x = 1
        meter.withMutation(of: \.doubled) { meter.x = 2 }
      }
      meter.x = 3
    }
    #expect(recorder.take() == ["doubled 0→ prior", "doubled 0→6", "path 0→6"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P52: what is taken back of an overridden property hides no change of what its getter reads")
  func takenBackOverride() {
    let ledger = BonusLedger()
    let token = ledger.observe(
      \.balance, options: [.old, .new], changeHandler: recorder.receives("balance"))
    func run(_ takenBack: () -> Void, then change: () -> Void) -> [String] {
      (ledger.bonus, ledger.balance) = (0, 0)
      _ = recorder.take()
      withKeyValueTransaction {
        try? withKeyValueTransaction {
          takenBack()
          throw Refused()
        }
        change()
      }
      return recorder.take()
    }
    func setBoth() {
      ledger.balance = 5
      ledger.bonus = 1
    }
    #expect(run(setBoth) { ledger.bonus = 2 } == ["balance 0→2"])
    #expect(run({ ledger.balance = 5 }) { ledger.bonus = 2 } == ["balance 0→2"])
    #expect(run(setBoth) { ledger.balance = 7 } == ["balance 0→7"])
    #expect(run(setBoth) {} == [])
    withExtendedLifetime(token) {}
  }

  @Test(
    "P11, P48: what handlers do to an overridden property and to what its getter reads comes in their order",
    arguments: [false, true])
  func handlersOfOverride(isInTransaction: Bool) {
    let ledger = BonusLedger()
    var counts = [0, 0]
    func once(_ index: Int, _ body: () -> Void) {
      counts[index] += 1
      if counts[index] == 1 { body() }
    }
    let tokens = [
      ledger.observe(\.balance) { ledger, _ in once(0) { ledger.bonus = 2 } },
      ledger.observe(\.balance) { ledger, _ in once(1) { ledger.balance = 0 } },
      ledger.observe(
        \.balance, options: [.old, .new], changeHandler: recorder.receives("balance")),
    ]
    if isInTransaction {
      withKeyValueTransaction { ledger.balance = 1 }
    } else {
      ledger.balance = 1
    }
    #expect(recorder.take() == ["balance 0→1", "balance 1→3", "balance 3→0"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P11, P48: a transaction that a handler opens before the key's own change is delivered before its next"
  )
  func transactionInHandlerOfOverride() {
    let ledger = BonusLedger()
    let other = Meter()
    let tokens = [
      other.observe(\.x) { _, _ in withKeyValueTransaction { ledger.bonus = 1 } },
      ledger.observe(\.balance, options: [.old, .new]) { [recorder] ledger, change in
        recorder.write("balance", change)
        if ledger.balance == 1 { ledger.balance = 2 }
      },
    ]
    withKeyValueTransaction {
      other.x = 1
      ledger.withMutation(of: \.balance) {}
    }
    #expect(recorder.take() == ["balance 0→0", "balance 0→1", "balance 1→2"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P48, P53: a late observer of an overridden property receives its change before what handlers set"
  )
  func lateObserverOfOverride() {
    let ledger = BonusLedger()
    var tokens = [
      ledger.observe(\.balance) { ledger, _ in if ledger.balance == 3 { ledger.balance = 4 } }
    ]
    withKeyValueTransaction {
      ledger.balance = 1
      tokens.append(
        ledger.observe(
          \.balance, options: [.old, .new], changeHandler: recorder.receives("late")))
      ledger.bonus = 2
    }
    #expect(recorder.take() == ["late 1→3", "late 3→4"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P10, P48, P53: observers of a computed key that are registered in a transaction are notified in their order"
  )
  func observersRegisteredBetweenChanges() {
    let meter = Meter()
    var count = 0
    var tokens = [
      meter.observe(\.doubled, options: [.old, .new]) { [recorder] meter, change in
        recorder.write("first", change)
        count += 1
        if count == 1 { meter.withMutation(of: \.doubled) { meter.x = 5 } }
      }
    ]
    withKeyValueTransaction {
      meter.withMutation(of: \.doubled) {}
      for (name, x) in [("second", 1), ("third", 2)] {
        tokens.append(
          meter.observe(\.doubled, options: [.old, .new], changeHandler: recorder.receives(name)))
        meter.x = x
      }
    }
    #expect(
      recorder.take() == [
        "first 0→4", "second 0→4", "third 2→4", "first 4→10", "second 4→10", "third 4→10",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P22, P44, P52: inputs and manual notifications of a computed key make one change of it",
    arguments: [
      ("3", "0→6"), ("n3", "0→6"), ("3n", "0→6"), ("3n4n", "0→8"), ("n", "0→0"), ("(n)", nil),
      ("(n)3", "0→6"), ("3(n)", "0→6"), ("(n1)3", "0→6"), ("(1n)3", "0→6"), ("1(n)3", "0→6"),
      ("(1)n", "0→0"), ("n(1)", "0→0"), ("(n1)", nil), ("(1n)", nil), ("((n)1)n3", "0→6"),
      ("w3d", "0→6"), ("w3d4", "0→8"), ("1w3d", "0→6"), ("(w1d)3", "0→6"), ("(w1d)", nil),
      ("{3}", "0→6"), ("{3}4", "0→8"), ("1{3}", "0→6"), ("({1})3", "0→6"), ("({1})", nil),
      ("({1}2)3", "0→6"), ("({1})n", "0→0"), ("({1}){3}", "0→6"),
    ])
  func notificationsOfComputedKey(program: String, change: String?) {
    let meter = Meter()
    let token = meter.observe(
      \.doubled, options: [.old, .new], changeHandler: recorder.receives("doubled"))
    meter.run(program)
    #expect(recorder.take() == (change.map { ["doubled \($0)"] } ?? []))
    meter.x = 9
    #expect(recorder.take().map { $0.suffix(2) } == ["18"])
    withExtendedLifetime(token) {}
  }

  @Test(
    "P47: and one prior notification, which a change follows",
    arguments: [
      "3", "n3", "3n", "(n)", "(n)3", "3(n)", "(n1)3", "(1n)3", "(1)n", "n(1)", "(1)", "w3d",
      "1w3d", "w3d4", "(w1d)3", "(w1d)", "{3}", "1{3}", "{3}4", "({1})3", "({1})",
    ])
  func priorNotificationsOfComputedKey(program: String) {
    let meter = Meter()
    var counts = (priors: 0, changes: 0)
    let token = meter.observe(\.doubled, options: [.prior]) { _, change in
      if change.isPrior { counts.priors += 1 } else { counts.changes += 1 }
    }
    meter.run(program)
    #expect(counts == (1, 1))
    withExtendedLifetime(token) {}
  }

  @Test(
    "P47, P52: an observer of values gets the change of an input if a notification is taken back")
  func takenBackNotification() {
    let meter = Meter()
    let tokens = [
      meter.observe(\.doubled, options: .prior) { _, _ in },
      meter.observe(\.doubled, options: [.old, .new], changeHandler: recorder.receives("doubled")),
    ]
    meter.run("(n)3")
    #expect(recorder.take() == ["doubled 0→6"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    """
    P57: an observer of the key, or of a path to it, is passed over if an input and the key were changed in its \
    name, not if one was
    """,
    arguments: [false, true])
  func excludedObserver(isOfPath: Bool) {
    let (meter, holder) = (Meter(), MeterHolder())
    holder.meter = meter
    let token =
      isOfPath
      ? holder.observe(
        \.meter?.doubled, options: [.old, .new], changeHandler: recorder.receives("doubled"))
      : meter.observe(
        \.doubled, options: [.old, .new], changeHandler: recorder.receives("doubled"))
    func run(_ steps: (program: String, isExcluded: Bool)...) -> [String] {
      meter.x = 0
      _ = recorder.take()
      withKeyValueTransaction {
        for step in steps {
          withKeyValueTransaction(withoutNotifying: step.isExcluded ? [token] : []) {
            meter.run(step.program)
          }
        }
      }
      return recorder.take()
    }
    for program in ["3", "n", "{3}", "w3d"] {
      #expect(run((program, true)) == [], "\(program)")
    }
    #expect(run(("3", true), ("n", false)) == ["doubled 0→6"])
    #expect(run(("n", true), ("3", false)) == ["doubled 0→6"])
    #expect(run(("3", false), ("n", true)) == ["doubled 0→6"])
    #expect(run(("n", false), ("3", true)) == ["doubled 0→6"])
    #expect(run(("3", true), ("n", true)) == [])
    #expect(run(("n", true), ("3", true)) == [])
  }

  @Test("P53: an observer that comes between an input and a notification receives one change")
  func observerBeforeNotification() {
    for program in ["1", "n1"] {
      let meter = Meter()
      let token = meter.observe(\.doubled, options: .new, changeHandler: recorder.receives("first"))
      var late: KeyValueObservation?
      withKeyValueTransaction {
        meter.run(program)
        late = meter.observe(\.doubled, options: .new, changeHandler: recorder.receives("late"))
        meter.run("n")
      }
      #expect(recorder.take() == ["first →2", "late →2"])
      withExtendedLifetime((token, late)) {}
    }
  }

  @Test("P53: an observer that comes between both receives one change as well")
  func lateObserverOfNotifiedKey() {
    for first in ["n", "1"] {
      let meter = Meter()
      let token = meter.observe(\.doubled, options: .new, changeHandler: recorder.receives("first"))
      var late: KeyValueObservation?
      withKeyValueTransaction {
        meter.run(first)
        late = meter.observe(\.doubled, options: .new, changeHandler: recorder.receives("late"))
        meter.run(first == "n" ? "3" : "n3")
      }
      #expect(recorder.take() == ["first →6", "late →6"])
      withExtendedLifetime((token, late)) {}
    }
  }

  @Test("P47: an observer that comes between two notifications receives one prior notification")
  func priorBetween() {
    let meter = Meter()
    let first = meter.observe(\.doubled, changeHandler: recorder.receives("first"))
    var second: KeyValueObservation?
    withKeyValueTransaction {
      meter.run("n")
      second = meter.observe(
        \.doubled, options: [.old, .new, .prior], changeHandler: recorder.receives("second"))
      meter.run("n5")
    }
    #expect(
      recorder.take().filter { $0.hasPrefix("second") } == ["second 0→ prior", "second 0→10"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("P52, P53: an observer of a transaction that is rolled back receives one change")
  func lateInRolledBack() {
    let meter = Meter()
    let first = meter.observe(\.doubled, changeHandler: recorder.receives("first"))
    var second: KeyValueObservation?
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        meter.x = 3
        second = meter.observe(
          \.doubled, options: [.old, .new], changeHandler: recorder.receives("second"))
        throw Refused()
      }
      meter.run("n")
    }
    #expect(recorder.take().filter { $0.hasPrefix("second") } == ["second 6→0"])
    withExtendedLifetime((first, second)) {}
  }
}
