import KeyValueObserving
import Models

/// The cost of values other than numbers.
enum Values: Suite {
  static let title = "Strings, structs, arrays"

  static var benchmarks: [Benchmark] {
    [
      Benchmark(observedText(length: 20), against: closureText, goal: .ratio(1)),
      Benchmark(
        observedText(length: 100_000), against: observedText(length: 20), goal: .ratio(1.25)),
      Benchmark(observedBlock, against: closureBlock, goal: .ratio(1)),
      Benchmark(plainAppend),
      Benchmark(unobservedAppend, against: plainAppend),
      Benchmark(observedAppend(length: 10), against: plainAppend),
    ]
      + [100, 1000, 10_000, 100_000].map { length in
        Benchmark(
          observedAppend(length: length), against: observedAppend(length: 10), goal: .ratio(1.25))
      }
  }

  private static var closureText: Subject {
    Subject("set String, didSet with a stored closure", callbacks: 1) { ledger in
      let object = StoredClosure()
      let texts = makeTexts(length: 20)
      object.onText = { old, new in ledger.note(new.utf8.count &- old.utf8.count) }
      return { passes in
        for pass in 0..<passes { setText(object, texts[pass & 1]) }
      }
    }
  }

  private static func observedText(length: Int) -> Subject {
    Subject("set String of \(length), 1 observer of old and new", callbacks: 1) { ledger in
      let object = Model()
      let texts = makeTexts(length: length)
      ledger.keep(
        object.observe(\.text, options: [.old, .new]) { _, change in
          ledger.note((change.newValue?.utf8.count ?? 0) &- (change.oldValue?.utf8.count ?? 0))
        })
      return { passes in
        for pass in 0..<passes { setText(object, texts[pass & 1]) }
      }
    }
  }

  private static func makeTexts(length: Int) -> [String] {
    ["a", "b"].map { String(repeating: $0, count: length) }
  }

  private static var closureBlock: Subject {
    Subject("set struct of 40 bytes, didSet with a stored closure", callbacks: 1) { ledger in
      let object = StoredClosure()
      object.onBlock = { old, new in ledger.note(new.first &- old.fifth) }
      return { passes in
        for pass in 0..<passes { setBlock(object, Block(first: pass)) }
      }
    }
  }

  private static var observedBlock: Subject {
    Subject("set struct of 40 bytes, 1 observer of old and new", callbacks: 1) { ledger in
      let object = Model()
      ledger.keep(
        object.observe(\.block, options: [.old, .new]) { _, change in
          ledger.note((change.newValue?.first ?? 0) &- (change.oldValue?.fifth ?? 0))
        })
      return { passes in
        for pass in 0..<passes { setBlock(object, Block(first: pass)) }
      }
    }
  }

  // Each pass appends an element and removes it, so that the length stays: two mutations in place.

  private static var plainAppend: Subject {
    Subject("mutate [Int] of 10 in place, plain", operations: 2) { _ in
      let object = Stored()
      object.items = Array(0..<10)
      return { passes in
        for pass in 0..<passes {
          append(pass, to: object)
          removeLast(from: object)
        }
      }
    }
  }

  private static var unobservedAppend: Subject {
    Subject("mutate [Int] of 10 in place, unobserved", operations: 2) { _ in
      let object = Model()
      object.items = Array(0..<10)
      return { passes in
        for pass in 0..<passes {
          append(pass, to: object)
          removeLast(from: object)
        }
      }
    }
  }

  private static func observedAppend(length: Int) -> Subject {
    Subject(
      "mutate [Int] of \(length) in place, 1 observer of new", callbacks: 2, operations: 2
    ) { ledger in
      let object = Model()
      object.items = Array(0..<length)
      ledger.keep(
        object.observe(\.items, options: .new) { _, change in
          ledger.note(change.newValue?.count ?? 0)
        })
      return { passes in
        for pass in 0..<passes {
          append(pass, to: object)
          removeLast(from: object)
        }
      }
    }
  }
}
