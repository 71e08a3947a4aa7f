import Foundation
import Testing

/// Which programs are run.
///
/// `MODEL_SEED` names the first seed, or is `random`; `MODEL_PROGRAMS` says how many programs are run from
/// there on. The programs are the same each time by default, so that a test run does not depend on luck.
struct Settings {
  let seeds: Range<UInt64>

  static var fromEnvironment: Settings { make(count: 10_000) }

  /// The programs with transactions.
  static var transactions: Settings { make(count: 1_500) }

  /// The programs about collections.
  static var collections: Settings { make(count: 500) }

  /// Runs every program, and records the smallest form of the first that fails with the seeds of others.
  ///
  /// - `fails`: Whether the program of a seed fails.
  /// - `explain`: Describes the smallest form of such a program.
  func run(where fails: (UInt64) -> Bool, explain: (UInt64) -> String) {
    let failed = Array(seeds.lazy.filter(fails).prefix(20))
    guard let first = failed.first else { return }
    let others = failed.count > 1 ? "The seeds \(failed.dropFirst()) fail as well.\n" : ""
    Issue.record("Seed \(first):\n\(explain(first))\n\(others)")
  }

  private static func make(count defaultCount: UInt64) -> Settings {
    let environment = ProcessInfo.processInfo.environment
    let first =
      switch environment["MODEL_SEED"] {
      case "random": UInt64.random(in: 0..<1_000_000_000)
      case let seed: seed.flatMap { UInt64($0) } ?? 1
      }
    let count = environment["MODEL_PROGRAMS"].flatMap { UInt64($0) } ?? defaultCount
    return Settings(seeds: first..<(first + count))
  }
}
