import KeyValueObserving
import Models

/// The cost of a computed property whose inputs were found by reading it.
enum Dependencies: Suite {
  static let title = "A computed property of four inputs"

  static var benchmarks: [Benchmark] {
    [
      Benchmark(observed(by: 1), against: OneObserver.observed, goal: .ratio(12)),
      Benchmark(observed(by: 3), against: observed(by: 1)),
      Benchmark(unobserved),
      Benchmark(evaluationsObserved, goal: .amount(1)),
      Benchmark(evaluationsUnobserved, goal: .amount(0)),
    ]
  }

  private static func observed(by count: Int) -> Subject {
    let observers = count == 1 ? "1 observer" : "\(count) observers"
    return Subject("set an input, \(observers) of the sum", callbacks: count) { ledger in
      let object = Sum()
      for _ in 0..<count {
        ledger.keep(
          object.observe(\.total, options: [.old, .new]) { _, change in ledger.note(change) })
      }
      return { passes in
        for value in 0..<passes { setFirst(object, value) }
      }
    }
  }

  private static var unobserved: Subject {
    Subject("set an input, sum no longer observed") { ledger in
      let object = Sum()
      object.observe(\.total, options: .new) { _, change in ledger.note(change) }.invalidate()
      return { passes in
        for value in 0..<passes { setFirst(object, value) }
      }
    }
  }

  private static var evaluationsObserved: Subject {
    .counted("evaluations per change, 1 observer of new", .evaluations) {
      let object = Sum()
      let token = object.observe(\.total, options: .new) { _, change in
        measuringSink(change.newValue ?? 0)
      }
      defer { token.invalidate() }
      return evaluations(of: object)
    }
  }

  private static var evaluationsUnobserved: Subject {
    .counted("evaluations per change, not observed", .evaluations) { evaluations(of: Sum()) }
  }

  private static func evaluations(of object: Sum) -> Double {
    let changes = 1000
    let before = object.evaluations
    for value in 1...changes { setFirst(object, value) }
    return Double(object.evaluations - before) / Double(changes)
  }
}
