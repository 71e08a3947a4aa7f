import Foundation

/// How much is done, and how it is drawn.
///
/// `STRESS_SEED` names what is drawn, `STRESS_OPERATIONS` how many operations each thread does.
struct Settings: Sendable {
  let seed: UInt64
  let operations: Int
  let threads = 8
  /// How often all threads come to rest, and everything is looked at.
  var stretches: Int { max(5, operations / 2000) }

  static var fromEnvironment: Settings {
    let environment = ProcessInfo.processInfo.environment
    return Settings(
      // Another one each time, so that runs together see more than one run can.
      seed: environment["STRESS_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0..<1_000_000_000),
      operations: environment["STRESS_OPERATIONS"].flatMap { Int($0) } ?? 10_000)
  }
}
