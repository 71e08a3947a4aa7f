/// A row of the table: a subject, what it is compared with, and what it is to reach.
struct Benchmark {
  let subject: Subject
  let baseline: Subject?
  let goal: Goal?
  /// Whether the subject may not exist while its baseline is measured, because its objects are
  /// what might make the baseline slow.
  let isApart: Bool
  /// The heading under which it stands.
  var suite = ""

  init(
    _ subject: Subject, against baseline: Subject? = nil, goal: Goal? = nil, isApart: Bool = false
  ) {
    self.subject = subject
    self.baseline = baseline
    self.goal = goal
    self.isApart = isApart
  }

  /// Measures the subject and its baseline.
  ///
  /// Their batches take turns, so that a machine that becomes slower does so for both.
  func run() -> Outcome {
    let baseline = baseline?.prepare()
    baseline?.calibrate()
    if isApart { take(Batch.count / 2, of: [baseline]) }
    let probe = subject.prepare()
    probe.calibrate()
    take(Batch.count, of: isApart ? [probe] : [baseline, probe])
    probe.close()
    if isApart { take(Batch.count - Batch.count / 2, of: [baseline]) }
    baseline?.close()
    return Outcome(
      benchmark: self, measurement: probe.measurement, baseline: baseline?.measurement)
  }

  private func take(_ count: Int, of probes: [(any Probe)?]) {
    let clock = ContinuousClock()
    let start = clock.now
    for batch in 0..<count {
      for probe in probes { probe?.takeBatch() }
      if batch + 1 >= Batch.leastCount, clock.now - start > Batch.patience { return }
    }
  }
}
