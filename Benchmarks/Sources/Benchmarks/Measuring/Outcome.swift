/// What running a benchmark found.
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
    case .amount(let limit): measurement.minimum <= limit
    case nil: nil
    }
  }
}
