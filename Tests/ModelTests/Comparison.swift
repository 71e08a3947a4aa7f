/// A difference between the library and the model in the changes that a program delivers.
struct Difference: CustomStringConvertible {
  let program: Program
  let statement: Int
  let delivered: [Event]
  let expected: [Event]
  let leaked: Int

  var description: String {
    let lines = { (events: [Event]) in events.map { "  \($0)\n" }.joined() }
    return """
      \(Printer.source(of: program))
      Statement \(statement + 1): the library delivers
      \(lines(delivered))where the model expects
      \(lines(expected))\(leaked == 0 ? "" : "\(leaked) nodes are left.\n")
      """
  }

  /// Runs a program both ways.
  ///
  /// Returns nil if all is well.
  static func find(in program: Program) -> Difference? {
    let engine = EngineRun.run(program)
    let model = ModelRun.run(program)
    for (statement, (delivered, expected)) in zip(engine.history, model.history).enumerated() {
      // The order in which observers of several objects are notified of a deallocation is not
      // guaranteed.
      let isOrdered = !model.hadDeallocations.contains(statement)
      let same =
        isOrdered
        ? delivered == expected : byObserver(delivered) == byObserver(expected)
      if !same {
        // A deallocation that empties two links of a ring may be one change of a path or two (P27).
        if statement >= model.firstRing,
          !isOrdered || differInOrder(delivered, expected, in: program)
        {
          break
        }
        return Difference(
          program: program, statement: statement, delivered: delivered, expected: expected,
          leaked: engine.leaked)
      }
    }
    guard engine.leaked > 0 else { return nil }
    return Difference(
      program: program, statement: program.statements.count, delivered: [], expected: [],
      leaked: engine.leaked)
  }

  /// Whether a difference may be one of order alone.
  ///
  /// In a ring, several computed keys may come to read a property in one change; which of them is notified of it first
  /// after that, P10 leaves open. If callbacks act, everything else may follow from the order of calls.
  private static func differInOrder(
    _ delivered: [Event], _ expected: [Event], in program: Program
  ) -> Bool {
    if byObserver(delivered) == byObserver(expected) { return true }
    let first = zip(delivered, expected).first { $0 != $1 }
    return program.hasActions && first.map { $0.observer != $1.observer } ?? false
  }

  private static func byObserver(_ events: [Event]) -> [Int: [Event]] {
    Dictionary(grouping: events, by: \.observer)
  }
}
