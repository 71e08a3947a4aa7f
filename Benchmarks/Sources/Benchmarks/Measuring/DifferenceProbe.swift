/// Measures what each element adds, as the difference between a loop with many and one with few.
final class DifferenceProbe: Probe {
  private let more: any Probe
  private let fewer: any Probe
  private let elements: Int

  init(more: any Probe, fewer: any Probe, elements: Int) {
    self.more = more
    self.fewer = fewer
    self.elements = elements
  }

  func calibrate() {
    more.calibrate()
    fewer.calibrate()
  }

  func takeBatch() {
    more.takeBatch()
    fewer.takeBatch()
  }

  // The difference of the minima, not the minimum of differences, which noise would make smaller.
  var measurement: Measurement {
    let more = more.measurement
    let fewer = fewer.measurement
    return Measurement(
      minimum: (more.minimum - fewer.minimum) / Double(elements),
      median: (more.median - fewer.median) / Double(elements))
  }

  func run(passes: Int) {
    more.run(passes: passes)
  }

  func close() {
    more.close()
    fewer.close()
  }
}
