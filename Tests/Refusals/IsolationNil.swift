// P40: a closure that any thread may call is `@Sendable`, so it cannot use the state of an actor.

import KeyValueObserving

@MainActor
final class Screen {
  var count = 0

  func observe(_ model: Model) throws {
    _ = model.observe(\.value, isolation: nil) { _, _ in
      self.count += 1  // error: from a Sendable closure
    }
    _ = try model.observe("value", isolation: nil) { _, _ in
      self.count += 1  // error: from a Sendable closure
    }
    _ = model.onChange(of: \.value, isolation: nil) { _ in
      self.count += 1  // error: from a Sendable closure
    }
    _ = model.onChange(of: \.value, \.other, isolation: nil) {
      self.count += 1  // error: from a Sendable closure
    }
    _ = try model.onChange("value", "other", isolation: nil) {
      self.count += 1  // error: from a Sendable closure
    }
    _ = model.observeElements(of: \.numbers, isolation: nil) { _, _ in
      self.count += 1  // error: from a Sendable closure
    }
    _ = model.observeElements(of: \.models, isolation: nil) { _, _ in
      self.count += 1  // error: from a Sendable closure
    }
    _ = KeyValueObserver(source: model, keyPath: \.value, isolation: nil) { _, _ in
      self.count += 1  // error: from a Sendable closure
    }
    _ = try KeyValueObserver(source: model, keyPath: "value", isolation: nil) { _, _ in
      self.count += 1  // error: from a Sendable closure
    }
    // An actor that is not known at compile time may be another one.
    let unknown = unknownActor()
    _ = model.observe(\.value, isolation: unknown) {  // error: actor-isolated context
      _, _ in self.count += 1
    }
  }
}

func unknownActor() -> (any Actor)? { nil }

actor Counter {
  var count = 0

  func observe(_ model: Model) {
    _ = model.observe(\.value, isolation: nil) { _, _ in
      self.count += 1  // error: from a Sendable closure
    }
  }
}

final class Count {
  var value = 0
}

/// Belongs to no actor, and captures what is not `Sendable`.
func observe(_ model: Model) {
  let count = Count()
  _ = model.observe(\.value, isolation: nil) { _, _ in
    count.value += 1  // error: non-Sendable type 'Count'
  }
}

@KeyValueObservable
final class Model {
  var value = 0
  var other = 0
  var numbers: [Int] = []
  var models: [Model] = []
}
