import Foundation

/// All outcomes of a run as one Markdown table for each suite.
struct MarkdownTable {
  let outcomes: [Outcome]

  var text: String {
    let suites = outcomes.map(\.benchmark.suite).reduce(into: [String]()) { suites, suite in
      if suites.last != suite { suites.append(suite) }
    }
    return ([summary] + suites.map(table)).joined(separator: "\n\n") + "\n"
  }

  private var summary: String {
    let goals = outcomes.compactMap(\.isReached)
    let reached = goals.count { $0 }
    return "\(reached) of \(goals.count) goals are reached, on \(Machine.description)."
  }

  private func table(of suite: String) -> String {
    let rows = outcomes.filter { $0.benchmark.suite == suite }.map(row)
    let head = [
      "### \(suite)", "", "| | takes | ratio | goal | reached | compared with |",
      "| --- | ---: | ---: | ---: | --- | --- |",
    ]
    return (head + rows).joined(separator: "\n")
  }

  private func row(_ outcome: Outcome) -> String {
    let benchmark = outcome.benchmark
    let unit = benchmark.subject.unit
    let cells = [
      benchmark.subject.name,
      amount(outcome.measurement, unit),
      outcome.ratio.map(\.figure) ?? "",
      benchmark.goalText,
      outcome.isReached.map { $0 ? "yes" : "**no**" } ?? "",
      comparison(outcome),
    ]
    // Attributes and directives begin with an at sign, which DocC would take for one of its own.
    return "| " + cells.map { $0.replacing("@", with: "\\@") }.joined(separator: " | ") + " |"
  }

  private func comparison(_ outcome: Outcome) -> String {
    guard let baseline = outcome.benchmark.baseline, let measurement = outcome.baseline else {
      return ""
    }
    return "\(baseline.name): \(amount(measurement, baseline.unit))"
  }

  private func amount(_ measurement: Measurement, _ unit: Unit) -> String {
    let value = unit == .nanoseconds ? measurement.minimum : measurement.median
    return "\(value.figure) \(unit.rawValue)"
  }
}
