import Foundation

/// Which programs are run.
///
/// `MODEL_SEED` names the first seed, or is `random`; `MODEL_PROGRAMS` says how many programs are run from
/// there on. The programs are the same each time by default, so that a test run does not depend on luck.
struct Settings {
  let seeds: Range<UInt64>

  static var fromEnvironment: Settings {
    let environment = ProcessInfo.processInfo.environment
    let first =
      switch environment["MODEL_SEED"] {
      case "random": UInt64.random(in: 0..<1_000_000_000)
      case let seed: seed.flatMap { UInt64($0) } ?? 1
      }
    let count = environment["MODEL_PROGRAMS"].flatMap { UInt64($0) } ?? 10_000
    return Settings(seeds: first..<(first + count))
  }
}
