/// The result of a subject's batches, for one operation.
struct Measurement: Encodable {
  /// The batch that was disturbed least: the figure that ratios are made of.
  let minimum: Double
  let median: Double
}

extension Measurement {
  init(_ samples: [Double]) {
    precondition(!samples.isEmpty, "a measurement without a batch")
    let sorted = samples.sorted()
    minimum = sorted[0]
    median = sorted[sorted.count / 2]
  }
}
