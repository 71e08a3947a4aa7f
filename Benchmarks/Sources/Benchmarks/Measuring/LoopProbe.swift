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
    // A loop that first starts a thread, or fills a transaction, has to run long beside that.
    let setUp = min(workload.time(0, of: name), workload.time(0, of: name))
    let target = max(Batch.target, setUp * Batch.setUpShare)
    // The faster of two: another thread that has to wake up may take longer than the loop.
    func time() -> Duration {
      min(workload.time(passes, of: name), workload.time(passes, of: name))
    }
    var elapsed = time()
    while elapsed < target / 4 {
      passes *= 2
      elapsed = time()
    }
    passes = max(1, Int(Double(passes) * (target / elapsed)))
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
