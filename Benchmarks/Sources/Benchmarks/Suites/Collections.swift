import KeyValueObserving
import Models

/// The cost of mutating observed collections, and of operators on their elements.
enum Collections: Suite {
  static let title = "Observed collections"

  static var benchmarks: [Benchmark] {
    [Benchmark(proxyAppend(length: 10))]
      + [100, 1000, 10_000, 100_000].map { length in
        Benchmark(
          proxyAppend(length: length), against: proxyAppend(length: 10), goal: .ratio(1.25))
      }
      + [
        Benchmark(elementsAppend(length: 10)),
        Benchmark(
          elementsAppend(length: 100_000), against: elementsAppend(length: 10),
          goal: .ratio(1.25)),
        Benchmark(otherElements(length: 1000)),
        Benchmark(
          otherElements(length: 10_000), against: otherElements(length: 1000), goal: .ratio(2)),
        Benchmark(reordered(length: 1000)),
        Benchmark(reordered(length: 64_000), against: reordered(length: 1000), goal: .ratio(3)),
        Benchmark(sum(count: 10)), Benchmark(sum(count: 100_000)),
        Benchmark(sum(count: 1000), against: computedSum(count: 1000), goal: .ratio(3)),
      ]
  }

  // Each pass appends an element and removes it, so that the length stays: two edits.

  private static func proxyAppend(length: Int) -> Subject {
    Subject(
      "edit [Int] of \(length) by proxy, 1 observer of old and new", callbacks: 2, operations: 2
    ) { ledger in
      let object = Model()
      object.items = Array(0..<length)
      let items = object.mutableArrayValue(for: \.items)
      ledger.keep(
        object.observe(\.items, options: [.old, .new]) { _, change in
          ledger.note(change.newValue?.count ?? change.oldValue?.count ?? 0)
        })
      return { passes in
        for pass in 0..<passes {
          items.append(pass)
          items.removeLast()
        }
      }
    }
  }

  private static func elementsAppend(length: Int) -> Subject {
    Subject(
      "edit [Int] of \(length) by proxy, 1 observer of elements", callbacks: 2, operations: 2
    ) { ledger in
      let object = Model()
      object.items = Array(0..<length)
      let items = object.mutableArrayValue(for: \.items)
      ledger.keep(
        object.observeElements(of: \.items) { _, change in ledger.note(change.difference.count) })
      return { passes in
        for pass in 0..<passes {
          items.append(pass)
          items.removeLast()
        }
      }
    }
  }

  /// Sets an array to one that has no element in common with it; per element.
  private static func otherElements(length: Int) -> Subject {
    Subject(
      "set [Int] of \(length) to other elements, 1 observer of elements", callbacks: 1,
      operations: length
    ) { ledger in
      let object = Model()
      let versions = [Array(0..<length), Array(length..<2 * length)]
      var turn = 0
      ledger.keep(
        object.observeElements(of: \.items) { _, change in ledger.note(change.difference.count) })
      return { passes in
        for _ in 0..<passes {
          object.items = versions[turn]
          turn = 1 - turn
        }
      }
    }
  }

  /// Sets an array to its reverse; per element.
  private static func reordered(length: Int) -> Subject {
    Subject(
      "set [Int] of \(length) to its reverse, 1 observer of elements", callbacks: 1,
      operations: length
    ) { ledger in
      let object = Model()
      let versions = [Array(0..<length), Array((0..<length).reversed())]
      object.items = versions[1]
      var turn = 0
      ledger.keep(
        object.observeElements(of: \.items) { _, change in ledger.note(change.difference.count) })
      return { passes in
        for _ in 0..<passes {
          object.items = versions[turn]
          turn = 1 - turn
        }
      }
    }
  }

  private static func computedSum(count: Int) -> Subject {
    Subject("set 1 of \(count) elements, 1 observer of a computed sum", callbacks: 1) { ledger in
      let shelf = Shelf(count: count)
      ledger.keep(shelf)
      ledger.keep(
        shelf.observe(\.sum, options: .new) { _, change in ledger.note(change.newValue ?? 0) })
      let node = shelf.nodes[count / 2]
      return { passes in
        for pass in 0..<passes { node.value = pass }
      }
    }
  }

  private static func sum(count: Int) -> Subject {
    Subject("set 1 of \(count) elements, 1 observer of their @sum", callbacks: 1) { ledger in
      let shelf = Shelf(count: count)
      ledger.keep(shelf)
      do {
        ledger.keep(
          try shelf.observe("nodes.@sum.value", options: .new) { _, change in
            ledger.note((change.newValue ?? nil) as? Int ?? 0)
          })
      } catch {
        fatalError("The key path of the benchmark cannot be observed: \(error)")
      }
      let node = shelf.nodes[count / 2]
      return { passes in
        for pass in 0..<passes { node.value = pass }
      }
    }
  }
}
