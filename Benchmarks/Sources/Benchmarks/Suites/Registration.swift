import KeyValueObserving
import Models

/// The cost of registering an observer and ending the observation.
enum Registration: Suite {
  static let title = "Register and end"

  static var benchmarks: [Benchmark] {
    [
      Benchmark(appendAndRemove),
      Benchmark(registerAndEnd(), against: appendAndRemove, goal: .ratio(1.5)),
      Benchmark(leastRegisterAndEnd, against: appendAndRemove),
      Benchmark(registerAndEnd(others: 1000), against: registerAndEnd(), goal: .ratio(1.1)),
      Benchmark(registerAndEnd(others: many), against: registerAndEnd(), goal: .ratio(1.1)),
      inOrder("first in, first out", Array(0..<many)),
      inOrder("last in, first out", Array((0..<many).reversed())),
      inOrder("at random", shuffled(1000)),
      inOrder("at random", shuffled(many)),
      Benchmark(objects(1000)),
      Benchmark(objects(many), against: objects(1000), goal: .ratio(2)),
      Benchmark(keys(1000)),
      Benchmark(keys(many), against: keys(1000), goal: .ratio(2)),
    ]
  }

  private static var many: Int { 100_000 }

  static var appendAndRemove: Subject {
    Subject("append a closure + remove it") { ledger in
      let object = ClosureArray()
      object.listeners.reserveCapacity(8)
      return { passes in
        for place in 0..<passes { appendAndRemoveOne(object, place, ledger) }
      }
    }
  }

  /// The same with a key path and a token, which every registration takes, and nothing that would
  /// connect them.
  private static var leastRegisterAndEnd: Subject {
    Subject("the same with a key path and a token object") { ledger in
      let object = ClosureArray()
      object.listeners.reserveCapacity(8)
      return { passes in
        for place in 0..<passes { appendAndRemoveOneWithToken(object, place, ledger) }
      }
    }
  }

  static func registerAndEnd(others: Int = 0) -> Subject {
    let suffix = others == 0 ? "" : ", \(count(others)) others"
    return Subject("register + end" + suffix) { ledger in
      let object = Model()
      for place in 0..<others { ledger.keep(register(object, place, ledger)) }
      return { passes in
        for place in 0..<passes { registerAndEndOne(object, place, ledger) }
      }
    }
  }

  /// Registers many observers of one key and ends them in an order, compared with the least that
  /// so many closures cost: no array of closures gives one up at random in constant time.
  private static func inOrder(_ order: String, _ indexes: [Int]) -> Benchmark {
    Benchmark(endAll(order, indexes), against: releaseAll(order, indexes), goal: .ratio(1.5))
  }

  private static func endAll(_ order: String, _ indexes: [Int]) -> Subject {
    Subject("\(count(indexes.count)), ended \(order)", operations: indexes.count) { ledger in
      let object = Model()
      return keepAndDrop(indexes) { register(object, $0, ledger) }
    }
  }

  private static func releaseAll(_ order: String, _ indexes: [Int]) -> Subject {
    Subject(
      "\(count(indexes.count)) closures in objects, released \(order)", operations: indexes.count
    ) { ledger in
      keepAndDrop(indexes) { makeHandler($0, ledger) }
    }
  }

  /// A loop that makes as many things as there are indexes and drops them in that order.
  private static func keepAndDrop<Kept: AnyObject>(
    _ indexes: [Int], _ make: @escaping (Int) -> Kept
  ) -> (_ passes: Int) -> Void {
    var kept: [Kept?] = []
    kept.reserveCapacity(indexes.count)
    return { passes in
      for _ in 0..<passes {
        for place in indexes.indices { kept.append(make(place)) }
        for index in indexes { kept[index] = nil }
        kept.removeAll(keepingCapacity: true)
      }
    }
  }

  /// Makes objects, each with one observer, and lets go of both; per object.
  private static func objects(_ number: Int) -> Subject {
    Subject("\(count(number)) objects × 1 observer, made and ended", operations: number) { ledger in
      var kept: [(Model, KeyValueObservation)] = []
      kept.reserveCapacity(number)
      return { passes in
        for _ in 0..<passes {
          for place in 0..<number {
            let object = Model()
            kept.append((object, register(object, place, ledger)))
          }
          kept.removeAll(keepingCapacity: true)
        }
      }
    }
  }

  /// Observes each key of one object, and lets go of the object and then of the tokens; per key.
  private static func keys(_ number: Int) -> Subject {
    Subject("1 object × \(count(number)) keys, observed and ended", operations: number) { ledger in
      let names = (0..<number).map { "key\($0)" }
      var kept: [KeyValueObservation] = []
      kept.reserveCapacity(number)
      return { passes in
        for _ in 0..<passes {
          observeKeys(of: KeyValueDictionary(), names, ledger, keepingIn: &kept)
          kept.removeAll(keepingCapacity: true)
        }
      }
    }
  }

  private static func count(_ number: Int) -> String {
    number == many ? "10^5" : "\(number)"
  }

  /// The indexes below `count` in an order that is the same in every run.
  private static func shuffled(_ count: Int) -> [Int] {
    var generator = SplitMix(state: 1)
    return (0..<count).shuffled(using: &generator)
  }
}

// The closures capture two things each, as most closures do: one that captures a single object has
// no context of its own, and appending it to an array would allocate nothing.

@inline(never)
private func register(_ object: Model, _ place: Int, _ ledger: Ledger) -> KeyValueObservation {
  object.observe(\.count, options: [.old, .new]) { _, change in ledger.note(change, at: place) }
}

/// Returns when the object is deallocated, if it is not retained elsewhere.
@inline(never)
private func observeKeys(
  of object: consuming KeyValueDictionary, _ keys: [String], _ ledger: Ledger,
  keepingIn tokens: inout [KeyValueObservation]
) {
  do {
    for (place, key) in keys.enumerated() {
      tokens.append(
        try object.observe(key, options: [.old, .new]) { _, change in
          ledger.note(change.kind == .setting ? place : 0)
        })
    }
  } catch {
    fatalError("A key of the benchmark cannot be observed: \(error)")
  }
}

@inline(never)
private func registerAndEndOne(_ object: Model, _ place: Int, _ ledger: Ledger) {
  register(object, place, ledger).invalidate()
}

@inline(never)
private func makeHandler(_ place: Int, _ ledger: Ledger) -> Handler {
  Handler { old, new in ledger.note(new &- old, at: place) }
}

@inline(never)
private func appendAndRemoveOne(_ object: ClosureArray, _ place: Int, _ ledger: Ledger) {
  object.listeners.append { old, new in ledger.note(new &- old, at: place) }
  object.listeners.removeLast()
}

@inline(never)
private func appendAndRemoveOneWithToken(_ object: ClosureArray, _ place: Int, _ ledger: Ledger) {
  let token = append(to: object, \.count, place, ledger)
  object.listeners.removeLast()
  withExtendedLifetime(token) {}
}

@inline(never)
private func append(
  to object: ClosureArray, _ keyPath: KeyPath<ClosureArray, Int>, _ place: Int, _ ledger: Ledger
) -> Token {
  object.listeners.append { old, new in ledger.note(new &- old, at: place) }
  return Token(keyPath)
}

/// The minimum for a token: an object.
private final class Token {
  let keyPath: Unmanaged<AnyKeyPath>

  init(_ keyPath: AnyKeyPath) {
    self.keyPath = .passUnretained(keyPath)
  }
}

/// A closure kept by hand.
private final class Handler {
  let closure: (Int, Int) -> Void

  init(_ closure: @escaping (Int, Int) -> Void) {
    self.closure = closure
  }
}
