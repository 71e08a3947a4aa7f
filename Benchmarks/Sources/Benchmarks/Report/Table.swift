/// Prints outcomes as they come, one line each, in columns.
struct Table {
  private var suite = ""
  private var goals = 0
  private var reached = 0

  var header: String {
    line("", "min", "median", "", "ratio", "goal", "reached", "baseline: its min")
  }

  mutating func row(_ outcome: Outcome) -> String {
    let benchmark = outcome.benchmark
    let heading = benchmark.suite == suite ? "" : "\n\(benchmark.suite)\n"
    suite = benchmark.suite
    if let isReached = outcome.isReached {
      goals += 1
      reached += isReached ? 1 : 0
    }
    return heading
      + line(
        "  " + benchmark.subject.name,
        outcome.measurement.minimum.figure,
        outcome.measurement.median.figure,
        benchmark.subject.unit.rawValue,
        outcome.ratio.map(\.figure) ?? "",
        benchmark.goalText,
        outcome.isReached.map { $0 ? "yes" : "NO" } ?? "",
        comparison(outcome))
  }

  var footer: String { "\n\(reached) of \(goals) goals reached" }

  private func comparison(_ outcome: Outcome) -> String {
    guard let name = outcome.benchmark.baseline?.name, let baseline = outcome.baseline else {
      return ""
    }
    return "\(name): \(baseline.minimum.figure)"
  }

  private func line(
    _ name: String, _ minimum: String, _ median: String, _ unit: String, _ ratio: String,
    _ goal: String, _ reached: String, _ baseline: String
  ) -> String {
    let figures = minimum.padded(left: 8) + median.padded(left: 9) + " " + unit.padded(to: 5)
    let comparison = ratio.padded(left: 7) + goal.padded(left: 12) + " " + reached.padded(to: 8)
    return (name.padded(to: 55) + figures + comparison + baseline).trimmedAtEnd
  }
}
