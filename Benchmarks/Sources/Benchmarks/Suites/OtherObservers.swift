import KeyValueObserving
import Models

/// The cost of a set while other things are observed too.
enum OtherObservers: Suite {
  static let title = "Set, others observed"

  static var benchmarks: [Benchmark] {
    [
      Benchmark(setBesideOtherProperty, against: OneObserver.observed, goal: .ratio(1.1)),
      Benchmark(
        setBesideOtherObjects, against: OneObserver.observed, goal: .ratio(1.1), isApart: true),
      Benchmark(unobservedBesideOtherProperty, against: OneObserver.observed),
      Benchmark(unobservedBesideOtherProperty, against: Unobserved.setOther, goal: .ratio(2)),
      Benchmark(setAmongKeys(2), against: OneObserver.observed),
      Benchmark(setAmongKeys(20), against: setAmongKeys(2), goal: .ratio(1.2)),
      Benchmark(setAmongKeys(200), against: setAmongKeys(2)),
      Benchmark(unobservedAmongKeys(18), against: OneObserver.observed),
    ]
  }

  private static var setBesideOtherProperty: Subject {
    Subject("set, 1 observer, 1000 of another property", callbacks: 1) { ledger in
      let object = Model()
      observeOther(of: object, ledger)
      ledger.keep(
        object.observe(\.count, options: [.old, .new]) { _, change in ledger.note(change) })
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  private static var unobservedBesideOtherProperty: Subject {
    Subject("set, no observer, 1000 of another property") { ledger in
      let object = Model()
      observeOther(of: object, ledger)
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  private static func observeOther(of object: Model, _ ledger: Ledger) {
    for _ in 0..<1000 {
      ledger.keep(
        object.observe(\.other, options: [.old, .new]) { _, change in ledger.note(change) })
    }
  }

  /// Sets a property of an object of which so many keys are observed, the property's own as the first.
  private static func setAmongKeys(_ count: Int) -> Subject {
    Subject("set, 1 observer, \(count) observed keys", callbacks: 1) { ledger in
      let object = Wide()
      ledger.keep(
        object.observe(\.count, options: [.old, .new]) { _, change in ledger.note(change) })
      observeOtherKeys(count - 1, of: object, ledger)
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  /// Sets a property without observers of an object of which so many other keys are observed.
  private static func unobservedAmongKeys(_ count: Int) -> Subject {
    Subject("set, no observer, \(count) other observed keys") { ledger in
      let object = Wide()
      observeOtherKeys(count, of: object, ledger)
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  private static func observeOtherKeys(_ count: Int, of object: Wide, _ ledger: Ledger) {
    for number in 0..<count {
      ledger.keep(observing(object, "key\(number)") { _, change in ledger.note(change) })
    }
  }

  private static var setBesideOtherObjects: Subject {
    Subject("set, 1 observer, 10^5 of other objects", callbacks: 1) { ledger in
      for _ in 0..<100_000 {
        let other = Model()
        ledger.keep(other)
        ledger.keep(
          other.observe(\.count, options: [.old, .new]) { _, change in ledger.note(change) })
      }
      let object = Model()
      ledger.keep(
        object.observe(\.count, options: [.old, .new]) { _, change in ledger.note(change) })
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }
}
