/// How the library and the model differ in what they tell of a program.
struct Difference: CustomStringConvertible {
  let program: Program
  let statement: Int
  let told: [Event]
  let expected: [Event]
  let leaked: Int

  var description: String {
    let lines = { (events: [Event]) in events.map { "  \($0)\n" }.joined() }
    return """
      \(Printer.source(of: program))
      Statement \(statement + 1): the library tells
      \(lines(told))where the model expects
      \(lines(expected))\(leaked == 0 ? "" : "\(leaked) nodes are left.\n")
      """
  }

  /// Runs a program both ways. Returns nil if all is well.
  static func find(in program: Program) -> Difference? {
    let engine = EngineRun.run(program)
    let model = ModelRun.run(program)
    for (statement, (told, expected)) in zip(engine.history, model.history).enumerated() {
      // Nothing is promised about the order in which observers of several objects hear of a death.
      let isOrdered = !model.deaths.contains(statement)
      let same =
        isOrdered
        ? told == expected : byObserver(told) == byObserver(expected)
      if !same {
        return Difference(
          program: program, statement: statement, told: told, expected: expected,
          leaked: engine.leaked)
      }
    }
    guard engine.leaked > 0 else { return nil }
    return Difference(
      program: program, statement: program.statements.count, told: [], expected: [],
      leaked: engine.leaked)
  }

  private static func byObserver(_ events: [Event]) -> [Int: [Event]] {
    Dictionary(grouping: events, by: \.observer)
  }
}
