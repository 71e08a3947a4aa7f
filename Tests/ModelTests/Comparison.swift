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
        if statement >= model.firstRing, !isOrdered { break }
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

  private static func byObserver(_ events: [Event]) -> [Int: [Event]] {
    Dictionary(grouping: events, by: \.observer)
  }
}
