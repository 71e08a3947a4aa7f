import KeyValueObserving
import TestSupport

/// A task that iterates an async sequence to its end, or until it is cancelled.
enum Consumption {
  /// Returns a task that yields the numbers among the elements.
  ///
  /// When it has, it keeps nothing any more.
  static func start<Element: Sendable>(
    of sequence: KeyValueAsyncSequence<Element>, _ life: Life
  ) -> Task<[Int], Never> {
    // The captures of a closure may outlast the result of the task. So they are taken out.
    let kept = Guarded(Optional((sequence: sequence, life: life)))
    return Task.detached {
      var taken = kept.exchange(nil)
      var iterator = taken?.sequence.makeAsyncIterator()
      var received: [Int] = []
      while let element = await iterator?.next() {
        if let number = element as? Int { received.append(number) }
      }
      iterator = nil
      taken = nil
      return received
    }
  }
}
