import Foundation
import KeyValueObservingTesting
import LifecycleObserving
import TestSupport
import Testing

private let nodeCount = 3

/// A program for lifecycles, drawn from a seed.
private struct Program {
  private var generator: SplitMix
  private var scopeCount = 0
  private(set) var operations: [LifecycleOperation] = []
  /// The work of observers in a moment, once.
  private(set) var reactions: [String: LifecycleOperation] = [:]

  init(seed: UInt64) {
    generator = SplitMix(seed: seed)
    for observer in 0..<4 {
      for moment in Lifecycle.Moment.allCases where Bool.random(using: &generator) {
        reactions["\(observer) \(moment)"] = operation()
      }
    }
    operations = (0..<number(in: 1..<25)).map { _ in operation() }
  }

  private mutating func number(in range: Range<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  private mutating func operation() -> LifecycleOperation {
    let (node, other) = (number(in: 0..<nodeCount), number(in: 0..<nodeCount))
    switch number(in: 0..<20) {
    case 0..<8:
      // The end is rare: nothing comes after it.
      if number(in: 0..<12) == 0 { return .move(node, .ended) }
      return .move(node, Lifecycle.Phase.allCases[number(in: 0..<5)])
    case 8..<11: return .addObserver(node, number(in: 0..<4))
    case 11: return .removeObserver(node, number(in: 0..<4))
    case 12..<14:
      scopeCount += 1
      return .addScope(node, scopeCount, Lifecycle.Span.allCases[number(in: 0..<4)])
    case 14: return .endScope(number(in: 0..<scopeCount + 1))
    case 15..<17: return .addChild(node, other)
    case 17: return .removeChild(node, other)
    default: return .set(number(in: 1..<100))
    }
  }
}

@Suite("Lifecycles: random programs")
struct RandomLifecycleTests {
  @Test(
    "P80, P81, P82, P86: random moves, additions, removals and reactions do what a naive model does"
  )
  func random() async {
    await #expect(processExitsWith: .success) {
      KeyValueDiagnostics.handler = nil
      let environment = ProcessInfo.processInfo.environment
      let first = environment["LIFECYCLE_SEED"].flatMap(UInt64.init) ?? .random(in: 0..<1_000_000)
      let count = environment["LIFECYCLE_PROGRAMS"].flatMap(UInt64.init) ?? 1000
      for seed in first..<first + count {
        let program = Program(seed: seed)
        let naive = NaiveWorld(count: nodeCount, reactions: program.reactions)
        for operation in program.operations { naive.perform(operation) }
        let lines = expectNoLiveObservations {
          let real = RealWorld(count: nodeCount, reactions: program.reactions)
          for operation in program.operations { real.perform(operation) }
          return real.lines
        }
        guard lines == naive.lines else {
          Issue.record(
            "LIFECYCLE_SEED=\(seed): \(program) gave \(lines), not \(naive.lines)")
          return
        }
      }
    }
  }
}
