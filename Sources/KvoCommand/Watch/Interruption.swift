import Foundation
import Synchronization

/// Ctrl-C and the polite `kill`, which ask the command to end instead of ending it.
enum Interruption {
  private static let flag = Atomic(false)

  /// Begins to note them.
  ///
  /// A handler is used and not a dispatch source, since that is attached some time after it was
  /// made, and a signal that comes before would be lost.
  static func expect() {
    // The flag is made on first use, which is more than a handler may do.
    flag.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in Interruption.flag.store(true, ordering: .relaxed) }
    }
  }

  static var hasCome: Bool { flag.load(ordering: .relaxed) }
}
