import KeyValueObserving
import Testing

@KeyValueObservable
private final class Meter {
  var level = 0
  var limit = 0
  var name = "a"
  var isOver: Bool { level > limit }
  var marks: [Int] = []
  var next: Meter?
  @KeyValueDependent(on: "limit") var scale = 1
}

/// Prior notifications of changes in transactions, and observers that are registered in them.
@Suite struct PriorInTransactionTests {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]

  private func receives<Value>(_ name: String) -> (Meter, KeyValueChange<Value>) -> Void {
    { [recorder] _, change in recorder.write(change.isPrior ? "\(name) prior" : name) }
  }

  @Test("P47, P57: the change follows a prior notification that came before one in its name")
  func namedAfterPrior() {
    let meter = Meter()
    let token = meter.observe(
      \.level, options: [.old, .new, .prior], changeHandler: recorder.receives("level"))
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        meter.level = 1
        throw Refused()
      }
      withKeyValueTransaction(withoutNotifying: [token]) { meter.level = 2 }
    }
    #expect(recorder.take() == ["level 0→ prior", "level 0→2"])
    withExtendedLifetime(token) {}
  }

  @Test("P47: a pair of a computed key and a change of its input in it have one prior notification")
  func pairOfComputedKey() {
    let meter = Meter()
    var tokens = [
      meter.observe(\.isOver, options: options, changeHandler: recorder.receives("first"))
    ]
    withKeyValueTransaction {
      meter.willChangeValue(for: \.isOver)
      meter.didChangeValue(for: \.isOver)
      tokens.append(meter.observe(\.isOver, options: .prior, changeHandler: receives("late")))
      meter.willChangeValue(for: \.isOver)
      meter.level = 1
      meter.didChangeValue(for: \.isOver)
    }
    #expect(recorder.take() == ["late prior", "first false→true", "late"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P47: an observer that is registered while a pair is open receives the prior notification of a set in it",
    arguments: [false, true])
  func registeredInPair(isObserved: Bool) {
    let meter = Meter()
    var tokens: [KeyValueObservation] = []
    if isObserved {
      tokens.append(
        meter.observe(\.level, options: .prior, changeHandler: receives("first")))
    }
    withKeyValueTransaction {
      meter.willChangeValue(for: \.level)
      tokens.append(meter.observe(\.level, options: .prior, changeHandler: receives("late")))
      meter.level = 1
      meter.didChangeValue(for: \.level)
    }
    #expect(
      recorder.take()
        == (isObserved ? ["first prior", "late prior", "first", "late"] : ["late prior", "late"]))
    withExtendedLifetime(tokens) {}
  }

  @Test("P47: the same for a pair of a computed key, one input of which is set")
  func registeredInPairOfComputedKey() {
    let meter = Meter()
    var tokens = [meter.observe(\.isOver, options: .prior, changeHandler: receives("first"))]
    withKeyValueTransaction {
      meter.willChangeValue(for: \.isOver)
      tokens.append(meter.observe(\.isOver, options: .prior, changeHandler: receives("late")))
      meter.level = 1
      meter.didChangeValue(for: \.isOver)
    }
    #expect(recorder.take() == ["first prior", "late prior", "first", "late"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P11, P47: a path whose turn comes behind a prior handler has the old value from before")
  func pathBehindPriorHandler() {
    let (deposit, next) = (Deposit(), Deposit())
    deposit.next = next
    let tokens = [
      deposit.observe(\.next?.sum, options: .prior) { [unowned next] _, change in
        if change.isPrior { next.x = 10 }
      },
      deposit.observe(
        \.next?.sum, options: [.old, .new, .prior], changeHandler: recorder.receives("path")),
      deposit.observe(\.next?.sum, options: options, changeHandler: recorder.receives("plain")),
    ]
    withKeyValueTransaction { next.x = 2 }
    #expect(recorder.take() == ["path 0→ prior", "path 0→2", "plain 0→2"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P19, P47: a pair that is never completed does not concern another object")
  func abandonedPair() {
    withKeyValueTransaction {
      for _ in 0..<100 { Meter().willChangeValue(for: \.level) }
      let meters = (0..<100).map { _ in Meter() }
      let tokens = meters.map {
        $0.observe(\.level, options: .prior, changeHandler: receives("level"))
      }
      for meter in meters { meter.level = 1 }
      #expect(recorder.take() == Array(repeating: "level prior", count: 100))
      withExtendedLifetime(tokens) {}
    }
  }

  @Test(
    "P53: an observer that a prior handler registers, while values are put back, receives the value that is put back"
  )
  func registeredInRollback() {
    let meter = Meter()
    var tokens: [KeyValueObservation] = []
    try? withKeyValueTransaction {
      meter.level = 1
      tokens.append(
        meter.observe(\.level, options: .prior) { [recorder] meter, change in
          if change.isPrior, tokens.count == 1 {
            tokens.append(
              meter.observe(
                \.level, options: [.old, .new], changeHandler: recorder.receives("inner")))
          }
        })
      throw Refused()
    }
    #expect(recorder.take() == ["inner 1→0"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P53: an observer of the same computed key that a prior handler of a late observer registers receives the change"
  )
  func registeredForSameKey() {
    let meter = Meter()
    var tokens = [meter.observe(\.isOver) { _, _ in }]
    var isFirst = true
    withKeyValueTransaction {
      meter.limit = -1
      meter.limit = 3
      tokens.append(
        meter.observe(\.isOver, options: .prior) { [recorder] meter, change in
          guard change.isPrior, isFirst else { return }
          isFirst = false
          tokens.append(
            meter.observe(
              \.isOver, options: [.old, .new], changeHandler: recorder.receives("inner")))
        })
      meter.level = 7
    }
    #expect(recorder.take() == ["inner false→true"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P47: a change that only follows a prior notification has the reason of that",
    arguments: [true, false])
  func reasonOfPrior(isPathFirst: Bool) throws {
    let meter = Meter()
    let next = Meter()
    meter.next = next
    let token = meter.observe(
      \.next?.marks, options: .prior, changeHandler: recorder.receives("path"))
    let marks = next.mutableArrayValue(for: \.marks)
    let changes = [
      {
        try? withKeyValueTransaction {
          meter.next = nil
          throw Refused()
        }
      },
      {
        marks.append(1)
        marks.removeLast()
      },
    ]
    withKeyValueTransaction {
      for change in isPathFirst ? changes : changes.reversed() { change() }
    }
    #expect(
      recorder.take()
        == (isPathFirst ? ["path → prior path", "path → path"] : ["path → prior", "path →"]))
    withExtendedLifetime((token, next)) {}
  }

  @Test("P47: a prior handler finds what the transaction has done so far, and the former value")
  func stateInPrior() {
    let meter = Meter()
    let tokens = [
      meter.observe(\.limit, options: [.old, .prior]) { [recorder] meter, change in
        recorder.write(
          "limit \(change.isPrior) \(meter.level) \(meter.limit) \(meter.isOver) \(meter.marks)")
      },
      meter.observe(\.isOver, options: [.old, .prior]) { [recorder] meter, change in
        recorder.write("isOver \(change.isPrior) \(meter.level) \(meter.limit) \(meter.marks)")
      },
    ]
    withKeyValueTransaction {
      meter.marks = [1]
      meter.level = 3
      meter.marks.append(2)
      meter.limit = 5
      meter.level = 7
    }
    #expect(
      recorder.take() == [
        "isOver true 0 0 [1]", "limit true 3 0 true [1, 2]", "limit false 7 5 true [1, 2]",
        "isOver false 7 5 [1, 2]",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P9, P47: `distinct` drops the change that follows a prior notification if the value is equal",
    arguments: [false, true])
  func distinctAfterPrior(isRolledBack: Bool) {
    let meter = Meter()
    let tokens = [
      meter.observe(
        \.level, options: [.old, .new, .prior, .distinct],
        changeHandler: recorder.receives("level")),
      meter.observe(
        \.isOver, options: [.old, .new, .prior, .distinct],
        changeHandler: recorder.receives("isOver")),
      meter.observe(
        \.level, options: [.old, .new, .prior], changeHandler: recorder.receives("each")),
    ]
    try? withKeyValueTransaction {
      meter.level = 1
      if isRolledBack { throw Refused() }
      meter.level = 0
    }
    #expect(
      recorder.take() == ["level 0→ prior", "each 0→ prior", "isOver false→ prior", "each 0→0"])
    withKeyValueTransaction { meter.level = 2 }
    #expect(
      recorder.take() == [
        "level 0→ prior", "each 0→ prior", "isOver false→ prior", "level 0→2", "each 0→2",
        "isOver false→true",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P47: the reason of a change that follows a prior notification is that of the latter, whatever has changed before",
    arguments: [false, true])
  func reasonOfLatePath(isPathFirst: Bool) {
    let (meter, next) = (Meter(), Meter())
    meter.next = next
    let others = [meter.observe(\.next) { _, _ in }, next.observe(\.level) { _, _ in }]
    var token: KeyValueObservation?
    let changes: [() -> Void] = [{ meter.next = Meter() }, { next.level += 1 }]
    withKeyValueTransaction {
      if isPathFirst { next.level = 1 } else { meter.next = next }
      token = meter.observe(
        \.next?.level, options: [.prior], changeHandler: recorder.receives("path"))
      try? withKeyValueTransaction {
        for change in isPathFirst ? changes : changes.reversed() { change() }
        throw Refused()
      }
    }
    #expect(
      recorder.take()
        == (isPathFirst ? ["path → prior path", "path → path"] : ["path → prior", "path →"]))
    withExtendedLifetime((token, others)) {}
  }

  @Test("P62: undo throws in a prior handler, also of an observer that is older than the history")
  func undoInPrior() throws {
    let meter = Meter()
    var history: KeyValueHistory?
    let token = meter.observe(\.level, options: .prior) { _, change in
      guard change.isPrior, let history else { return }
      #expect(throws: KeyValueHistoryError.recording) { try history.undo() }
    }
    history = KeyValueHistory(of: meter)
    meter.level = 1
    meter.level = 2
    try history?.undo()
    #expect(meter.level == 1)
    token.invalidate()
  }

  @Test(
    "P47, P57: an observer in whose name prior notifications were sent receives nothing if all is taken back",
    arguments: ["key", "computed key", "path", "edits"], [false, true])
  func sentInName(of kind: String, isTakenBackBefore: Bool) {
    let (meter, root) = (Meter(), Meter())
    root.next = meter
    func observe(as name: String) -> KeyValueObservation {
      switch kind {
      case "computed key": meter.observe(\.isOver, options: .prior, changeHandler: receives(name))
      case "path": root.observe(\.next?.level, options: .prior, changeHandler: receives(name))
      case "edits": meter.observe(\.marks, options: .prior, changeHandler: receives(name))
      default: meter.observe(\.level, options: .prior, changeHandler: receives(name))
      }
    }
    let (own, other) = (observe(as: "own"), observe(as: "other"))
    try? withKeyValueTransaction {
      try? withKeyValueTransaction(withoutNotifying: [own]) {
        meter.level = 1
        meter.mutableArrayValue(for: \.marks).append(1)
        if isTakenBackBefore { throw Refused() }
      }
      meter.level = 2
      if kind != "edits" { throw Refused() }
      if isTakenBackBefore { meter.mutableArrayValue(for: \.marks).append(1) }
      meter.mutableArrayValue(for: \.marks).removeLast()
    }
    #expect(recorder.take() == ["other prior", "other"])
    meter.level = 3
    meter.marks = [1]
    #expect(recorder.take() == ["own prior", "other prior", "own", "other"])
    for token in [own, other] { token.invalidate() }
  }

  @Test("P44, P47: what a prior handler sets is a part of the change, also for dependents")
  func setInPrior() {
    let (root, deposit) = (Deposit(), Deposit())
    root.next = deposit
    let tokens = [
      deposit.observe(\.x, options: .prior) { deposit, change in
        if change.isPrior { deposit.x = 2 }
      },
      deposit.observe(\.sum, options: options, changeHandler: recorder.receives("sum")),
      root.observe(\.next?.sum, options: options, changeHandler: recorder.receives("path")),
      root.observe(\.next?.x, options: options, changeHandler: recorder.receives("last key")),
    ]
    withKeyValueTransaction { deposit.x = 1 }
    #expect(recorder.take() == ["last key 0→1", "sum 0→1", "path 0→1"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P11, P47, P50: a stored property that depends on others has its own value from before")
  func rolledBackWithInput() {
    let meter = Meter()
    let token = meter.observe(
      \.scale, options: [.old, .new, .prior], changeHandler: recorder.receives("scale"))
    try? withKeyValueTransaction {
      meter.scale = 2
      meter.limit = 5
      throw Refused()
    }
    #expect(recorder.take() == ["scale 1→ prior", "scale 1→1"])
    token.invalidate()
  }

  @Test("P44, P47: a dependent sends one prior notification, if its handler changes another input")
  func otherInputInPrior() {
    let (root, deposit) = (Deposit(), Deposit())
    root.next = deposit
    let options: KeyValueObservation.Options = [.old, .new, .prior]
    let tokens = [
      deposit.observe(\.sum, options: options) { [recorder] deposit, change in
        recorder.receives("sum")(deposit, change)
        if change.isPrior { (deposit.x, deposit.y) = (5, 7) }
      },
      root.observe(\.next?.sum, options: options) { [recorder, unowned deposit] root, change in
        recorder.receives("path")(root, change)
        if change.isPrior { deposit.withMutation(of: \.y) { deposit.y = 8 } }
      },
    ]
    withKeyValueTransaction { deposit.x = 1 }
    #expect(recorder.take() == ["sum 0→ prior", "path 0→ prior", "sum 0→9", "path 0→9"])
    withExtendedLifetime(tokens) {}
  }
}
