import Dispatch
import Foundation
import KeyValueObserving
import Models

/// Transactions, undo and bindings.
enum Transactions: Suite {
  static let title = "Transactions, undo and bindings"

  static var benchmarks: [Benchmark] {
    [
      Benchmark(setBesideTransaction, against: Unobserved.setOther, goal: .ratio(4)),
      Benchmark(furtherSet(observers: 1), against: OneObserver.observed, goal: .ratio(1)),
      Benchmark(furtherSet(observers: 10), against: OneObserver.observed, goal: .ratio(1)),
      Benchmark(
        transaction(observers: 1, .rollBack), against: OneObserver.observed, goal: .ratio(4)),
      Benchmark(
        transaction(observers: 0, .rollBack), against: OneObserver.observed, goal: .ratio(6)),
      Benchmark(
        transaction(observers: 1, .deliver), against: OneObserver.observed, goal: .ratio(2)),
      // A transaction of one set cannot take less than these two.
      Benchmark(setsByHand(1), against: OneObserver.observed),
      Benchmark(setsByHand(1, recordsUndo: true), against: OneObserver.observed),
      Benchmark(emptyTransaction, against: OneObserver.observed, goal: .ratio(2)),
      Benchmark(nestedTransaction, against: OneObserver.observed, goal: .ratio(2)),
      Benchmark(objects(1000), against: OneObserver.observed),
      Benchmark(objects(1000, isRolledBack: true), against: objects(1000), goal: .ratio(2.5)),
      // Memory makes them slower, not the number.
      Benchmark(objects(1_000_000), against: objects(1000)),
      Benchmark(
        objects(1_000_000, isRolledBack: true), against: objects(1_000_000), goal: .ratio(2.5)),
      Benchmark(
        append(isInTransaction: true), against: append(isInTransaction: false), goal: .ratio(3)),
      Benchmark(appendRolledBack, against: append(isInTransaction: false), goal: .ratio(3)),
      Benchmark(boundSet, against: boundByHand, goal: .ratio(2)),
    ]
      + [1, 10, 1000].map { Benchmark(sets($0), against: setsByHand($0)) } + [
        Benchmark(recordedSet, against: OneObserver.observed),
        Benchmark(undo, against: recordedSets, goal: .ratio(2)),
      ]
  }

  private static let objectCount = 1000
  private static let elementCount = 100_000

  /// Runs a loop while another thread has a transaction open.
  private static func besideTransaction(_ loop: () -> Void) {
    let (begun, over, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    Thread.detachNewThread {
      withKeyValueTransaction {
        begun.signal()
        over.wait()
      }
      ended.signal()
    }
    begun.wait()
    loop()
    over.signal()
    ended.wait()
  }

  private static var setBesideTransaction: Subject {
    Subject("set, unobserved, another thread in a transaction") { _ in
      let object = Model()
      return { passes in
        besideTransaction {
          for value in 0..<passes { setCount(object, value) }
        }
      }
    }
  }

  /// A set of a key that the transaction has changed before.
  private static func furtherSet(observers: Int) -> Subject {
    let suffix = observers == 1 ? "" : "s"
    return Subject("further set in a transaction, \(observers) observer\(suffix)") { ledger in
      let object = Model()
      for _ in 0..<observers {
        ledger.keep(
          object.observe(\.count, options: [.old, .new]) { _, change in
            measuringSink(change.newValue!)
          })
      }
      return { passes in
        withKeyValueTransaction {
          for value in 0..<passes { setCount(object, value) }
        }
      }
    }
  }

  /// A transaction around one set, and its delivery.
  private static func transaction(
    observers: Int, _ policy: KeyValueTransactionErrorPolicy
  ) -> Subject {
    let suffix = policy == .deliver ? ", onError: .deliver" : ""
    let name = observers == 0 ? "unobserved" : "1 observer of old and new"
    return Subject("transaction of one set, \(name)\(suffix)", callbacks: observers) { ledger in
      let object = Model()
      for _ in 0..<observers {
        ledger.keep(
          object.observe(\.count, options: [.old, .new]) { _, change in ledger.note(change) })
      }
      return { passes in
        for value in 0..<passes {
          withKeyValueTransaction(onError: policy) { setCount(object, value) }
        }
      }
    }
  }

  /// A transaction around sets of different objects, each with an observer.
  static func sets(_ count: Int) -> Subject {
    Subject(
      "one of \(count) sets in a transaction, 1 observer each", callbacks: count, operations: count
    ) { ledger in
      let objects = (0..<count).map { _ in Model() }
      for (place, object) in objects.enumerated() {
        ledger.keep(
          object.observe(\.count, options: [.old, .new]) { _, change in
            ledger.note(change.newValue! - change.oldValue!, at: place)
          })
      }
      return { passes in
        for value in 0..<passes {
          withKeyValueTransaction { for object in objects { setCount(object, value) } }
        }
      }
    }
  }

  private static func setsByHand(_ count: Int, recordsUndo: Bool = false) -> Subject {
    let suffix = recordsUndo ? " with undo" : ""
    return Subject(
      "one of \(count) sets, batched by hand\(suffix), 1 closure each", callbacks: count,
      operations: count
    ) { ledger in
      let batch = HandBatch(recordsUndo: recordsUndo)
      let numbers = (0..<count).map { place in
        BatchedNumber(in: batch) { ledger.note($1 - $0, at: place) }
      }
      return { passes in
        for value in 0..<passes { batch.run { for number in numbers { number.value = value } } }
      }
    }
  }

  private static var emptyTransaction: Subject {
    Subject("empty transaction") { _ in
      { passes in
        for _ in 0..<passes { withKeyValueTransaction {} }
      }
    }
  }

  private static var nestedTransaction: Subject {
    Subject("empty transaction in one of 10^5 records") { _ in
      let objects = (0..<elementCount).map { _ in Model() }
      return { passes in
        withKeyValueTransaction {
          for object in objects { setCount(object, 1) }
          for _ in 0..<passes { withKeyValueTransaction {} }
        }
      }
    }
  }

  /// Sets of different objects in one transaction, each.
  private static func objects(_ count: Int, isRolledBack: Bool = false) -> Subject {
    let number = count == 1000 ? "1,000" : "10^6"
    let name = "one of \(number) sets of unobserved objects in a transaction"
    return Subject(
      name + (isRolledBack ? ", rolled back" : ""), operations: count
    ) { _ in
      let objects = (0..<count).map { _ in Model() }
      return { passes in
        for value in 0..<passes {
          try? withKeyValueTransaction {
            for object in objects { setCount(object, value) }
            if isRolledBack { throw CancellationError() }
          }
        }
      }
    }
  }

  private static let longArray = "array of 100,000, 1 observer"

  private static func longArray(_ ledger: Ledger) -> Model {
    let object = Model()
    object.items = Array(0..<elementCount)
    ledger.keep(object.observe(\.items, options: [.old, .new]) { _, _ in measuringSink(1) })
    return object
  }

  /// An element at the end of a long array, appended and removed by proxy.
  private static func append(isInTransaction: Bool) -> Subject {
    let name = "append and remove by proxy, \(longArray)"
    return Subject(name + (isInTransaction ? ", in a transaction" : "")) { ledger in
      let object = longArray(ledger)
      func pass() {
        object.mutableArrayValue(for: \.items).append(1)
        object.mutableArrayValue(for: \.items).removeLast()
      }
      return { passes in
        for _ in 0..<passes {
          if isInTransaction { withKeyValueTransaction { pass() } } else { pass() }
        }
      }
    }
  }

  private static var appendRolledBack: Subject {
    Subject("append by proxy, \(longArray), rolled back") { ledger in
      let object = longArray(ledger)
      return { passes in
        for _ in 0..<passes {
          try? withKeyValueTransaction {
            object.mutableArrayValue(for: \.items).append(1)
            throw CancellationError()
          }
        }
      }
    }
  }
}

extension Transactions {
  /// Two properties that observers with a flag and a comparison keep equal.
  private static var boundByHand: Subject {
    Subject("set, kept equal by two observers, a flag and a comparison") { ledger in
      let (first, second) = (Model(), Model())
      var isCopying = false
      func copy(to other: Model, _ value: Int) {
        if isCopying || other.count == value { return }
        isCopying = true
        setCount(other, value)
        isCopying = false
      }
      ledger.keep(first.observe(\.count, options: .new) { copy(to: second, $1.newValue!) })
      ledger.keep(second.observe(\.count, options: .new) { copy(to: first, $1.newValue!) })
      return { passes in
        for value in 0..<passes { setCount(first, value) }
      }
    }
  }

  private static var boundSet: Subject {
    Subject("set of a bound property") { ledger in
      let (first, second) = (Model(), Model())
      ledger.keep(first.bind(\.count, to: second, \.count))
      ledger.keep(second)
      return { passes in
        for value in 0..<passes { setCount(first, value) }
      }
    }
  }

  private static var recordedSet: Subject {
    Subject("set of a property that a history of 100 groups records") { ledger in
      let object = Model()
      ledger.keep(KeyValueHistory(of: object, limit: 100))
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  /// The sets of a transaction that a history records, each.
  private static var recordedSets: Subject {
    Subject("one of 1,000 recorded sets in a transaction", operations: objectCount) { ledger in
      let objects = (0..<objectCount).map { _ in Model() }
      let history = KeyValueHistory(of: objects[0], limit: 1)
      for object in objects { history.record(object) }
      ledger.keep(history)
      return { passes in
        for value in 0..<passes {
          withKeyValueTransaction {
            for object in objects { setCount(object, value) }
          }
        }
      }
    }
  }

  /// A transaction that is undone and redone, each.
  private static var undo: Subject {
    Subject("one of 1,000 sets, undone or redone", operations: 2 * objectCount) { ledger in
      let objects = (0..<objectCount).map { _ in Model() }
      let history = KeyValueHistory(of: objects[0])
      for object in objects { history.record(object) }
      withKeyValueTransaction {
        for object in objects { setCount(object, 1) }
      }
      ledger.keep(history)
      for object in objects { ledger.keep(object) }
      return { passes in
        for _ in 0..<passes {
          try? history.undo()
          try? history.redo()
        }
      }
    }
  }
}
