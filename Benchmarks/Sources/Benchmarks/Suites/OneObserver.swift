import KeyValueObserving
import Models

/// The cost of a set with one observer.
enum OneObserver: Suite {
  static let title = "Set, one observer"

  static var benchmarks: [Benchmark] {
    [
      Benchmark(closure),
      Benchmark(observed, against: closure, goal: .ratio(1)),
      Benchmark(observedWithoutValues, against: closure),
      Benchmark(observedByOnChange, against: closure),
      Benchmark(observedWithReasons, against: closure),
      Benchmark(observedBefore, against: observed),
      Benchmark(pair, against: observed),
      Benchmark(observedByString(), against: observed, goal: .ratio(2)),
      Benchmark(observedByString(casting: true), against: observedByString()),
      Benchmark(dictionary),
      Benchmark(observedDictionary, against: dictionary, goal: .amount(200)),
      Benchmark(observedDictionary, against: Unobserved.setPublic, goal: .ratio(10)),
    ]
  }

  /// Observing done by hand.
  static var closure: Subject {
    Subject("set, didSet with a stored closure", callbacks: 1) { ledger in
      let object = StoredClosure()
      object.onCount = { old, new in ledger.note(new &- old) }
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  static var observed: Subject {
    Subject("set, 1 observer of old and new", callbacks: 1) { ledger in
      let object = Model()
      ledger.keep(
        object.observe(\.count, options: [.old, .new]) { _, change in ledger.note(change) })
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  private static var observedWithoutValues: Subject {
    Subject("set, 1 observer of no value", callbacks: 1) { ledger in
      let object = Model()
      ledger.keep(object.observe(\.count) { _, _ in ledger.note(1) })
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  private static var observedByOnChange: Subject {
    Subject("set, 1 onChange(of:)", callbacks: 1) { ledger in
      let object = Model()
      ledger.keep(object.onChange(of: \.count) { ledger.note($0) })
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  private static var observedWithReasons: Subject {
    Subject("set, 1 KeyValueObserver", callbacks: 1) { ledger in
      let object = Model()
      ledger.keep(
        KeyValueObserver(source: object, keyPath: \.count, options: [.old, .new]) { change, _ in
          ledger.note(change)
        })
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  private static var observedBefore: Subject {
    Subject("set, 1 observer of old, new and prior", callbacks: 2) { ledger in
      let object = Model()
      ledger.keep(
        object.observe(\.count, options: [.old, .new, .prior]) { _, change in ledger.note(change) })
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  /// A manual notification, which sets nothing.
  private static var pair: Subject {
    Subject("willChangeValue + didChangeValue, 1 observer of old and new", callbacks: 1) { ledger in
      let object = Model()
      ledger.keep(
        object.observe(\.count, options: [.old, .new]) { _, change in ledger.note(change) })
      return { passes in
        for _ in 0..<passes {
          object.willChangeValue(for: \.count)
          object.didChangeValue(for: \.count)
        }
      }
    }
  }

  private static func observedByString(casting: Bool = false) -> Subject {
    let suffix = casting ? ", values cast" : ""
    return Subject("set, 1 observer of a string key" + suffix, callbacks: 1) { ledger in
      let object = Model()
      ledger.keep(
        casting
          ? observing(object, "count") { _, change in ledger.noteCast(change) }
          : observing(object, "count") { _, change in ledger.note(change) })
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }
}

extension OneObserver {
  private static var dictionary: Subject {
    Subject("set a key of a KeyValueDictionary, unobserved") { _ in
      let object = KeyValueDictionary(["count": 0])
      return { passes in
        for value in 0..<passes { object["count"] = value }
      }
    }
  }

  private static var observedDictionary: Subject {
    Subject("set a key of a KeyValueDictionary, 1 observer of old and new", callbacks: 1) {
      ledger in
      let object = KeyValueDictionary(["count": 0])
      ledger.keep(observing(object, "count") { _, change in ledger.note(change) })
      return { passes in
        for value in 0..<passes { object["count"] = value }
      }
    }
  }
}

/// Observes a string key path that is known to work.
func observing<Subject: KeyValueObservable>(
  _ object: Subject, _ keyPath: String,
  changeHandler: @escaping (Subject, KeyValueChange<Any?>) -> Void
) -> KeyValueObservation {
  do {
    return try object.observe(keyPath, options: [.old, .new], changeHandler: changeHandler)
  } catch {
    fail("\(error)")
  }
}
