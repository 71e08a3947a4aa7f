import Foundation
import Synchronization

/// Ctrl-C and the polite `kill`, which ask the command to end instead of ending it.
enum Interruption {
  private static let flag = Atomic(false)

  /// Begins to wait for them. A dispatch source would be told of a signal only some time after it
  /// was made, and one that comes before would be lost.
  static func expect() {
    // What a handler may do is little; making a static property on first use is too much.
    flag.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in Interruption.flag.store(true, ordering: .relaxed) }
    }
  }

  static var hasCome: Bool { flag.load(ordering: .relaxed) }
}
