/// Times a loop, in batches of some milliseconds.
final class LoopProbe: Probe {
  private let name: String
  private let workload: Workload
  private var passes = 1
  private var samples: [Double] = []

  init(_ name: String, _ workload: Workload) {
    self.name = name
    self.workload = workload
  }

  func calibrate() {
    var elapsed = workload.time(passes, of: name)
    while elapsed < Batch.target / 4 {
      passes *= 2
      elapsed = workload.time(passes, of: name)
    }
    passes = max(1, Int(Double(passes) * (Batch.target / elapsed)))
  }

  func takeBatch() {
    let elapsed = workload.time(passes, of: name)
    samples.append(elapsed.nanoseconds / Double(passes * workload.operationsPerPass))
  }

  var measurement: Measurement { Measurement(samples) }

  func run(passes: Int) {
    workload.run(passes, of: name)
  }

  func close() {
    workload.ledger.close()
  }
}
