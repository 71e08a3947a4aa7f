/// The result of running a benchmark.
struct Outcome {
  let benchmark: Benchmark
  let measurement: Measurement
  let baseline: Measurement?

  /// How many times its baseline the subject costs.
  var ratio: Double? {
    baseline.map { measurement.minimum / $0.minimum }
  }

  /// Whether the goal is reached; nil if there is none.
  var isReached: Bool? {
    switch benchmark.goal {
    case .ratio(let limit): ratio.map { $0 <= limit }
    // A busy machine does not enlarge a count, so the least is no better a figure.
    case .amount(let limit): measurement.median <= limit
    case nil: nil
    }
  }
}
