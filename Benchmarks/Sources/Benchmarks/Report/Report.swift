import Foundation

/// All outcomes of a run, as data.
struct Report: Encodable {
  struct Row: Encodable {
    let suite: String
    let name: String
    let unit: Unit
    let measurement: Measurement
    let baseline: String?
    let baselineMeasurement: Measurement?
    let ratio: Double?
    let goal: Double?
    let isReached: Bool?
  }

  let rows: [Row]

  init(_ outcomes: [Outcome]) {
    rows = outcomes.map { outcome in
      Row(
        suite: outcome.benchmark.suite, name: outcome.benchmark.subject.name,
        unit: outcome.benchmark.subject.unit, measurement: outcome.measurement,
        baseline: outcome.benchmark.baseline?.name, baselineMeasurement: outcome.baseline,
        ratio: outcome.ratio, goal: outcome.benchmark.goal?.limit, isReached: outcome.isReached)
    }
  }

  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    } catch {
      fail("the report cannot be written as JSON: \(error)")
    }
  }
}
