import KeyValueObserving
import Models

/// The cost of reading and writing by key.
enum Coding: Suite {
  static let title = "Key-value coding"

  static var benchmarks: [Benchmark] {
    [
      Benchmark(get), Benchmark(getPath), Benchmark(set), Benchmark(setObserved),
      Benchmark(setConverted),
    ]
  }

  private static var get: Subject {
    Subject("value(forKey:)") { _ in
      let object = Model()
      return { passes in
        for _ in 0..<passes { measuringSink(read { try object.value(forKey: "count") }) }
      }
    }
  }

  private static var getPath: Subject {
    Subject("value(forKeyPath:) of 4") { _ in
      let object = Node(count: 4)
      return { passes in
        for _ in 0..<passes {
          measuringSink(read { try object.value(forKeyPath: "next.next.next.value") })
        }
      }
    }
  }

  private static var set: Subject {
    Subject("setValue(_:forKey:)") { _ in
      let object = Model()
      return { passes in
        for pass in 0..<passes { write { try object.setValue(pass, forKey: "count") } }
      }
    }
  }

  private static var setObserved: Subject {
    Subject("setValue(_:forKey:), 1 observer of old and new", callbacks: 1) { ledger in
      let object = Model()
      ledger.keep(
        object.observe(\.count, options: [.old, .new]) { _, change in ledger.note(change) })
      return { passes in
        for pass in 0..<passes { write { try object.setValue(pass, forKey: "count") } }
      }
    }
  }

  private static var setConverted: Subject {
    Subject("setValue(_:forKey:), a Double into an Int") { _ in
      let object = Model()
      return { passes in
        for pass in 0..<passes { write { try object.setValue(Double(pass), forKey: "count") } }
      }
    }
  }

  private static func read(_ body: () throws -> Any?) -> Int {
    do {
      return try body() as? Int ?? 0
    } catch {
      fatalError("A key of the benchmark cannot be read: \(error)")
    }
  }

  private static func write(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      fatalError("A key of the benchmark cannot be written: \(error)")
    }
  }
}
