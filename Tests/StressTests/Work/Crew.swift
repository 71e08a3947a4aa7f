import Foundation

/// Runs closures at the same time, on a thread each.
///
/// Not in tasks: there are no more threads for those than processors, and a thread that is blocked
/// would keep another task from running, which a test of blocking must not.
enum Crew {
  /// Returns whether all have come to their end in time.
  ///
  /// If not, they are left alone, and so should be everything that they use.
  static func run(within limit: TimeInterval, _ bodies: [@Sendable () -> Void]) async -> Bool {
    let rollCall = RollCall(bodies.count)
    for body in bodies {
      Thread {
        body()
        rollCall.leave()
      }.start()
    }
    return await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: rollCall.wait(until: Date() + limit)) }.start()
    }
  }
}

/// Waits for several to come, or to go, for so long and no longer.
final class RollCall: @unchecked Sendable {  // `count` is guarded by `condition`
  private let condition = NSCondition()
  private var count: Int

  init(_ count: Int) { self.count = count }

  func leave() {
    condition.withLock {
      count -= 1
      condition.broadcast()
    }
  }

  /// Returns whether all have left.
  @discardableResult
  func wait(until end: Date? = nil) -> Bool {
    condition.withLock {
      while count > 0 {
        guard let end else {
          condition.wait()
          continue
        }
        if !condition.wait(until: end) { return count <= 0 }
      }
      return true
    }
  }
}
