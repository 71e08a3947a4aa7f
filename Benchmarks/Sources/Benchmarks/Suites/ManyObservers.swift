import KeyValueObserving
import Models

/// The cost that each further observer adds to a set.
///
/// Each closure captures its place, so that it has a context of its own, as the closures of
/// different observers have.
enum ManyObservers: Suite {
  static let title = "Set, each further observer"

  static var benchmarks: [Benchmark] {
    let goal = Goal.ratio(0.25)
    return [
      Benchmark(observed(by: 10), against: closures(10)),
      Benchmark(observed(by: 1000), against: closures(1000)),
      Benchmark(observed(by: 100_000), against: closures(100_000)),
      Benchmark(eachObserver(of: 10), against: eachClosure(of: 10), goal: goal),
      Benchmark(eachObserver(of: 1000), against: eachClosure(of: 1000), goal: goal),
      Benchmark(eachObserver(of: 100_000), against: eachClosure(of: 100_000), goal: goal),
    ]
      + [10, 1000, 100_000].map { Benchmark(eachBareCall(of: $0), against: eachClosure(of: $0)) }
  }

  private static func eachObserver(of count: Int) -> Subject {
    .each("each further observer of \(count)", more: count, fewer: 1) { observed(by: $0) }
  }

  private static func eachClosure(of count: Int) -> Subject {
    .each("each further closure of \(count)", more: count, fewer: 1) { closures($0) }
  }

  static func observed(by count: Int) -> Subject {
    Subject("set, \(count) observers", callbacks: count) { ledger in
      let object = Model()
      for place in 0..<count {
        ledger.keep(
          object.observe(\.count, options: [.old, .new]) { _, change in
            ledger.note(change, at: place)
          })
      }
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  static func closures(_ count: Int) -> Subject {
    Subject("set, didSet with \(count) closures", callbacks: count) { ledger in
      let object = ClosureArray()
      for place in 0..<count {
        object.listeners.append { old, new in ledger.note(new &- old, at: place) }
      }
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  /// The least that one more observer can take: the closures that observers are, called one after
  /// another with the same change, and nothing else.
  private static func eachBareCall(of count: Int) -> Subject {
    .each("each further bare call of \(count)", more: count, fewer: 1) { bareCalls($0) }
  }

  private static func bareCalls(_ count: Int) -> Subject {
    Subject("\(count) bare calls", callbacks: count) { ledger in
      let object = Model()
      let handlers = UnsafeMutableBufferPointer<Handler>.allocate(capacity: count)
      for place in 0..<count {
        handlers.initializeElement(
          at: place, to: Handler { _, change in ledger.note(change, at: place) })
      }
      ledger.keep(Owner(handlers))
      return { passes in
        for value in 0..<passes { callAll(handlers, object, value) }
      }
    }
  }

  @inline(never)
  private static func callAll(
    _ handlers: UnsafeMutableBufferPointer<Handler>, _ object: Model, _ value: Int
  ) {
    let change = KeyValueChange(newValue: value, oldValue: value &- 1)
    var handler = handlers.baseAddress!
    let end = handler + handlers.count
    while handler < end {
      handler.pointee(object, change)
      handler += 1
    }
  }

  /// A closure that can be called without being retained.
  private struct Handler: ~Copyable {
    let call: (Model, KeyValueChange<Int>) -> Void

    borrowing func callAsFunction(_ object: Model, _ change: KeyValueChange<Int>) {
      call(object, change)
    }
  }

  private final class Owner {
    private let handlers: UnsafeMutableBufferPointer<Handler>

    init(_ handlers: UnsafeMutableBufferPointer<Handler>) {
      self.handlers = handlers
    }

    deinit {
      handlers.deinitialize()
      handlers.deallocate()
    }
  }
}
