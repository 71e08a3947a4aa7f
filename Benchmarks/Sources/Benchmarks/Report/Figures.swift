/// The times of a run, by the name of what was measured.
struct Figures {
  private var minima: [String: Double] = [:]

  init(_ outcomes: [Outcome]) {
    for outcome in outcomes {
      note(outcome.measurement, of: outcome.benchmark.subject)
      if let baseline = outcome.benchmark.baseline, let measurement = outcome.baseline {
        note(measurement, of: baseline)
      }
    }
  }

  func minimum(of subject: Subject) -> Double? { minima[subject.name] }

  // Of several measurements by different rows, the least was disturbed least.
  private mutating func note(_ measurement: Measurement, of subject: Subject) {
    minima[subject.name] = min(minima[subject.name] ?? .infinity, measurement.minimum)
  }
}
