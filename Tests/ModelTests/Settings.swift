import Foundation

/// Which programs are run.
///
/// `MODEL_SEED` names the first seed, `MODEL_PROGRAMS` how many programs are run from there on.
struct Settings {
  let seeds: Range<UInt64>

  static var fromEnvironment: Settings {
    let environment = ProcessInfo.processInfo.environment
    // Another one each time, so that runs together see more than one run can.
    let first =
      environment["MODEL_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000_000)
    let count = environment["MODEL_PROGRAMS"].flatMap { UInt64($0) } ?? 10_000
    return Settings(seeds: first..<(first + count))
  }
}
