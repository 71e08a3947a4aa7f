// P40, P82: the handler of a scoped observation that belongs to no actor is `@Sendable`.

import LifecycleObserving

@MainActor
final class Screen: @MainActor LifecycleOwner {
  let lifecycle = Lifecycle()
  var count = 0

  func observe(_ model: Model) throws {
    model.observe(\.value, while: .visible, of: self, isolation: nil) { _, _ in
      self.count += 1  // error: from a Sendable closure
    }
    try model.observe("value", while: .visible, of: self, isolation: nil) { _, _ in
      self.count += 1  // error: from a Sendable closure
    }
    Model.observe(\.value, while: .visible, of: self, subject: { _ in model }, isolation: nil) {
      _, _ in self.count += 1  // error: from a Sendable closure
    }
  }
}

@KeyValueObservable
final class Model: Sendable {
  var value = 0
}

// A lifecycle and its owner stay on one actor.
func move(_ screen: Screen) {
  screen.lifecycle.move(to: .visible)  // error: main actor-isolated
}
