import Testing

@Suite("The model of transactions")
struct TransactionModelTests {
  @Test(
    "P44…P48, P50, P52…P55, P57…P61, P63…P66, P68: random programs with transactions keep the invariants"
  )
  func randomPrograms() {
    let settings = Settings.transactions
    print("Programs with transactions of the seeds \(settings.seeds).")
    settings.run {
      !TransactionRun.run(Self.program($0)).faults.isEmpty
    } explain: { seed in
      let smallest = StepShrinker.shrink(Self.program(seed)) {
        !TransactionRun.run($0).faults.isEmpty
      }
      let run = TransactionRun.run(smallest)
      return "\(smallest)\n\(run.faults.joined(separator: "\n"))\n\(run.history(of: seed))"
    }
  }

  private static func program(_ seed: UInt64) -> TransactionProgram {
    var generator = StepGenerator(seed: seed)
    return generator.program()
  }

  @Test(
    "P46, P47: edits that cancel out do not change the reason of what follows a prior notification")
  func reasonOfPrior() {
    let watch = Watch(
      observer: 0, root: 0, path: [.friend, .tags], options: [.prior], isString: false)
    let program = TransactionProgram(
      traits: [],
      steps: [
        .observe(watch), .set(0, .friend, .node(0)),
        .transaction(
          TransactionForm(),
          [
            .transaction(TransactionForm(), [.set(0, .friend, .node(nil)), .fail]),
            .edit(0, .insert(1, at: 0)), .edit(0, .remove(at: 0)),
          ]),
      ])
    #expect(TransactionRun.run(program).faults == [])
  }

  @Test("P52: a nested transaction is as flat, and one that is rolled back leaves nothing behind")
  func nesting() {
    Settings.transactions.run {
      Self.nestingFault(of: Self.program($0)) != nil
    } explain: {
      let smallest = StepShrinker.shrink(Self.program($0)) { Self.nestingFault(of: $0) != nil }
      return "\(smallest)\n\(Self.nestingFault(of: smallest) ?? "")"
    }
  }

  private static func nestingFault(of program: TransactionProgram) -> String? {
    let events = TransactionRun.run(program).events
    let flat = program.flattened
    if flat != program {
      let other = TransactionRun.run(flat).events
      if events != other { return "\(events)\nflat:\n\(other)" }
    }
    let kept = program.withoutRollbacks
    // Callbacks act upon the changes that follow prior notifications.
    if kept != program, !program.traits.contains(.actions) {
      // A key that was taken back keeps its place in the order, and its prior notifications. An observer that is
      // registered in a transaction may receive an equal value.
      let left = program.observersLeftOut
      let streams = [events, TransactionRun.run(kept).events].map { steps in
        steps.map { step in
          Dictionary(grouping: step.filter { !left.contains($0.observer) }, by: \.observer)
        }
      }
      if streams[0] != streams[1] { return "\(streams[0])\nwithout:\n\(streams[1])" }
    }
    return nil
  }
}

extension TransactionProgram {
  /// The observers that receive more if something is rolled back.
  fileprivate var observersLeftOut: Set<Int> {
    var found: Set<Int> = []
    func find(in steps: [Step], isInside: Bool) {
      for step in steps {
        if case .observe(let watch) = step, isInside || watch.wants(.prior) {
          found.insert(watch.observer)
        }
        find(in: step.body, isInside: true)
      }
    }
    find(in: steps, isInside: false)
    return found
  }
}

extension TransactionRun {
  /// The changes that were received, step by step.
  fileprivate func history(of seed: UInt64) -> String {
    events.enumerated().map { "\($0 + 1): \($1.map(\.description).joined(separator: ", "))" }
      .joined(separator: "\n")
  }
}
