// P40: an observer that any thread may notify is not used by an actor, or by the code that has added it.

import KeyValueObservingFoundation

final class Counter: NSKeyValueObserving {
  var count = 0

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    count += 1
  }
}

func observe(_ model: Model) {
  let counter = Counter()
  model.addObserver(counter, forKeyPath: "value", isolation: nil)  // error: sending 'counter'
  counter.count += 1
}

@MainActor
final class Screen {
  let counter = Counter()

  func observe(_ model: Model) {
    model.addObserver(counter, forKeyPath: "value", isolation: nil)  // error: sending
  }
}

@KeyValueObservable
final class Model {
  var value = 0
}
