import CMeasuring

/// Runs the loop of one row a fixed number of times, for a profiler that counts instructions.
struct CountedRun {
  static var defaultPasses: Int { 1000 }

  let name: String
  let passes: Int

  /// Runs the loop; all but the last `passes` of it outside the counted region.
  func run() throws(InvocationError) {
    guard let subject = Catalog.subjects.first(where: { $0.name == name }) else {
      throw InvocationError("there is no row “\(name)”; see --list")
    }
    let probe = subject.prepare()
    probe.run(passes: CountedRun.warmUpPasses)
    let counted = Counted(probe: probe, passes: passes)
    withExtendedLifetime(counted) {
      measuring_counted_region(
        { Unmanaged<Counted>.fromOpaque($0!).takeUnretainedValue().run() },
        Unmanaged.passUnretained(counted).toOpaque())
    }
    probe.close()
  }

  private static var warmUpPasses: Int { 10 }

  private final class Counted {
    let probe: any Probe
    let passes: Int

    init(probe: any Probe, passes: Int) {
      self.probe = probe
      self.passes = passes
    }

    func run() { probe.run(passes: passes) }
  }
}
