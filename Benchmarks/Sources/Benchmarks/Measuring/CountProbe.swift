/// Counts something that does not depend on time.
final class CountProbe: Probe {
  private let count: () -> Double
  private var samples: [Double] = []

  init(count: @escaping () -> Double) {
    self.count = count
  }

  // Allocations that happen once in the life of the program are not counted.
  func calibrate() {
    _ = count()
  }

  func takeBatch() {
    if samples.count < Batch.leastCount { samples.append(count()) }
  }

  var measurement: Measurement { Measurement(samples) }

  func run(passes: Int) {
    for _ in 0..<passes { _ = count() }
  }

  func close() {}
}
