import KeyValueObserving
import Models

/// The cost of observing along a path of objects.
enum KeyPaths: Suite {
  static let title = "Key paths"

  static var benchmarks: [Benchmark] { lastKeySet + linkReplaced + registerAndEnd }

  static var depths: [Int] { [2, 4, 8] }

  /// The spelling of a path, and the use of the values in its observer.
  enum Spelling {
    case typed, string, stringAndCast

    var kind: String { self == .typed ? "path" : "string path" }
    var suffix: String { self == .stringAndCast ? ", values cast" : "" }
  }

  /// The limit for a string path, in times of a typed one.
  private static var stringGoal: Goal { .ratio(2) }

  private static var lastKeySet: [Benchmark] {
    depths.map {
      Benchmark(lastKeySet(depth: $0), against: OneObserver.observed, goal: .ratio(3))
    }
      + depths.dropFirst().map {
        Benchmark(lastKeySet(depth: $0), against: lastKeySet(depth: 2), goal: .ratio(1.3))
      }
      + [
        Benchmark(
          lastKeySet(depth: 4, .string), against: lastKeySet(depth: 4), goal: stringGoal),
        Benchmark(
          lastKeySet(depth: 4, .stringAndCast), against: lastKeySet(depth: 4, .string)),
        Benchmark(lastKeySetBehindWeakLink, against: lastKeySet(depth: 2)),
      ]
  }

  private static var linkReplaced: [Benchmark] {
    let top = depths.map { depth in
      Benchmark(
        linkReplaced(at: 0, depth: depth, "top"), against: Registration.registerAndEnd(),
        goal: depth == 8 ? .ratio(10) : nil)
    }
    let middle = [4, 8].map { depth in
      Benchmark(
        linkReplaced(at: depth / 2 - 1, depth: depth, "middle"),
        against: Registration.registerAndEnd(), goal: depth == 8 ? .ratio(10) : nil)
    }
    return top + middle + [
      // Behind the top link of a path of 8 there are 7 links to be rewired, in one of 4 only 3.
      Benchmark(
        linkReplaced(at: 0, depth: 8, "top"), against: linkReplaced(at: 0, depth: 4, "top"),
        goal: .ratio(7.0 / 3)),
      Benchmark(
        linkReplaced(at: 0, depth: 4, "top", .string),
        against: linkReplaced(at: 0, depth: 4, "top"), goal: stringGoal),
    ]
  }

  private static var registerAndEnd: [Benchmark] {
    depths.map {
      Benchmark(
        registerAndEnd(depth: $0), against: Registration.registerAndEnd(),
        goal: $0 == 2 ? .ratio(5) : nil)
    }
      + [2, 4].map {
        Benchmark(
          registerAndEnd(depth: $0, .string), against: registerAndEnd(depth: $0),
          goal: stringGoal)
      }
      + [Benchmark(registerAndEndIntoStruct, against: registerAndEnd(depth: 2))]
  }

  static func lastKeySet(depth: Int, _ spelling: Spelling = .typed) -> Subject {
    let name = "\(spelling.kind) of \(depth), last key set\(spelling.suffix)"
    return Subject(name, callbacks: 1) { ledger in
      let root = Node(count: depth)
      let last = root.node(at: depth - 1)
      ledger.keep(root)
      ledger.keep(observe(root, depth: depth, spelling, ledger))
      return { passes in
        for value in 0..<passes { setValue(last, value) }
      }
    }
  }

  private static var lastKeySetBehindWeakLink: Subject {
    Subject("path of 2 through a weak property, last key set", callbacks: 1) { ledger in
      let last = Node()
      let root = WeakLink(to: last)
      ledger.keep(root)
      ledger.keep(
        root.observe(\.target?.value, options: [.old, .new]) { _, change in
          ledger.note(((change.newValue ?? nil) ?? 0) &- ((change.oldValue ?? nil) ?? 0))
        })
      return { passes in
        for value in 0..<passes { setValue(last, value) }
      }
    }
  }

  /// Lets one link lead to two chains in turn.
  static func linkReplaced(
    at position: Int, depth: Int, _ place: String, _ spelling: Spelling = .typed
  ) -> Subject {
    Subject("\(spelling.kind) of \(depth), \(place) link replaced", callbacks: 1) { ledger in
      let root = Node(count: depth)
      let node = root.node(at: position)
      let chains = [node.next!, Node(count: depth - 1 - position)]
      ledger.keep(root)
      ledger.keep(observe(root, depth: depth, spelling, ledger))
      return { passes in
        for pass in 0..<passes { setNext(node, chains[~pass & 1]) }
      }
    }
  }

  static func registerAndEnd(depth: Int, _ spelling: Spelling = .typed) -> Subject {
    Subject("\(spelling.kind) of \(depth), register + end") { ledger in
      let root = Node(count: depth)
      return { passes in
        for _ in 0..<passes { observe(root, depth: depth, spelling, ledger).invalidate() }
      }
    }
  }

  private static var registerAndEndIntoStruct: Subject {
    Subject("path into a struct, register + end") { ledger in
      let object = Model()
      return { passes in
        for _ in 0..<passes {
          object.observe(\.block.first, options: [.old, .new]) { _, change in
            ledger.note(change.newValue ?? 0)
          }
          .invalidate()
        }
      }
    }
  }

  @inline(never)
  private static func observe(
    _ root: Node, depth: Int, _ spelling: Spelling, _ ledger: Ledger
  ) -> KeyValueObservation {
    switch spelling {
    case .typed:
      root.observe(keyPath(depth: depth), options: [.old, .new]) { _, change in
        ledger.note(((change.newValue ?? nil) ?? 0) &- ((change.oldValue ?? nil) ?? 0))
      }
    case .string: observing(root, string(depth: depth)) { _, change in ledger.note(change) }
    case .stringAndCast:
      observing(root, string(depth: depth)) { _, change in ledger.noteCast(change) }
    }
  }

  private static func string(depth: Int) -> String {
    (Array(repeating: "next", count: depth - 1) + ["value"]).joined(separator: ".")
  }

  private static func keyPath(depth: Int) -> KeyPath<Node, Int?> {
    switch depth {
    case 2: \.next?.value
    case 4: \.next?.next?.next?.value
    case 8: \.next?.next?.next?.next?.next?.next?.next?.value
    default: fail("there is no key path of depth \(depth)")
    }
  }
}
