// P40: nor can a closure in a variable, whose type does not say that it is `@Sendable`.

import KeyValueObserving

@MainActor
final class Screen {
  var count = 0

  func observe(_ model: Model) throws {
    let handler: (Model, KeyValueChange<Int>) -> Void = { _, _ in self.count += 1 }
    _ = model.observe(\.value, isolation: nil, changeHandler: handler)  // error: sending 'handler'
    let erased: (Model, KeyValueChange<Any?>) -> Void = { _, _ in self.count += 1 }
    _ = try model.observe("value", isolation: nil, changeHandler: erased)  // error: sending
    let perform: () -> Void = { self.count += 1 }
    _ = model.onChange(of: \.value, \.other, isolation: nil, perform: perform)  // error: sending
    let callback: (KeyValueChange<Int>, KeyValueChangeReason) -> Void = { _, _ in self.count += 1 }
    _ = KeyValueObserver(  // error: sending 'callback'
      source: model, keyPath: \.value, isolation: nil, callback: callback)
  }

  /// An actor that only run time knows may be another one than the caller's.
  func observe(_ model: SharedModel, on actor: (any Actor)?) async {
    _ = await model.observe(\.value, isolation: actor) {  // error: risks causing data races
      _, _ in self.count += 1
    }
  }
}

@KeyValueObservable
final class Model {
  var value = 0
  var other = 0
}

@KeyValueObservable
final class SharedModel: Sendable {
  @KeyValueIgnored let stored = 0
  var value: Int { stored }
}
