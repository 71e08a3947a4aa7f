/// Something that can be measured.
struct Subject {
  let name: String
  let unit: Unit
  /// Makes the objects and observers that a measurement needs.
  let prepare: () -> any Probe
}

extension Subject {
  /// A loop to be timed.
  ///
  /// - `callbacks`: How many callbacks one pass of the loop has to cause.
  /// - `operations`: How many operations one pass of the loop performs.
  /// - `prepare`: Makes the loop. Observers that it registers note their callbacks in the ledger.
  init(
    _ name: String, callbacks: Int = 0, operations: Int = 1,
    prepare: @escaping (Ledger) -> (_ passes: Int) -> Void
  ) {
    self.name = name
    unit = .nanoseconds
    self.prepare = {
      LoopProbe(
        name,
        Subject.workload(callbacks: callbacks, operations: operations, prepare: prepare))
    }
  }

  /// The cost that each of `more - fewer` elements adds to one pass of a loop.
  static func each(
    _ name: String, more: Int, fewer: Int, loop: @escaping (_ elements: Int) -> Subject
  ) -> Subject {
    Subject(name: name, unit: .nanoseconds) {
      DifferenceProbe(
        more: loop(more).prepare(), fewer: loop(fewer).prepare(), elements: more - fewer)
    }
  }

  /// A number that is counted rather than timed.
  static func counted(_ name: String, _ unit: Unit, count: @escaping () -> Double) -> Subject {
    Subject(name: name, unit: unit) { CountProbe(count: count) }
  }

  static func workload(
    callbacks: Int, operations: Int, prepare: (Ledger) -> (_ passes: Int) -> Void
  ) -> Workload {
    let ledger = Ledger()
    return Workload(
      ledger: ledger, callbacksPerPass: callbacks, operationsPerPass: operations,
      loop: prepare(ledger))
  }
}
