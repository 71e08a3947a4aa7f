// P40: the same for what the module with the Foundation-compatible spellings registers.

import Foundation
import KeyValueObservingFoundation

@MainActor
final class Screen {
  var count = 0

  func observe(_ model: Model) throws {
    _ = model.observe(\.value, isolation: nil) { (_, _: NSKeyValueObservedChange<Int>) in
      self.count += 1  // error: from a Sendable closure
    }
    _ = try model.observe("value", as: Int.self, isolation: nil) { _, _ in
      self.count += 1  // error: from a Sendable closure
    }
    _ = NotificationCenter.default.onNotification(Notification.Name("a"), isolation: nil) { _ in
      self.count += 1  // error: from a Sendable closure
    }
    _ = model.onDeinit(isolation: nil) {
      self.count += 1  // error: from a Sendable closure
    }
  }
}

@KeyValueObservable
final class Model {
  var value = 0
}
