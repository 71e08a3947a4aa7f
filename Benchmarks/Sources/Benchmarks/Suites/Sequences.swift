import KeyValueObserving
import Models
import Observation

/// The cost of an element of an async sequence, from the set to the task that receives it.
enum Sequences: Suite {
  static let title = "Async sequences"

  static var benchmarks: [Benchmark] {
    if #available(macOS 26, *) {
      [
        Benchmark(values.setBeforeNext, against: ObservationPeer.sequence, goal: .ratio(1)),
        Benchmark(values.setWhileWaiting, against: observations.setWhileWaiting, goal: .ratio(1)),
      ]
    } else {
      [Benchmark(values.setBeforeNext), Benchmark(values.setWhileWaiting)]
    }
  }

  private static var values: NumberSequence<Model, KeyValueAsyncSequence<Int>> {
    NumberSequence(name: "values(of:)", makeObject: Model.init, set: setCount) {
      $0.values(of: \.count)
    }
  }

  @available(macOS 26, *)
  private static var observations: NumberSequence<ObservableModel, Observations<Int, Never>> {
    NumberSequence(name: "Observations", makeObject: ObservableModel.init, set: setCount) {
      object in Observations { object.count }
    }
  }
}

/// A sequence of the values of a property, which begins with the present one.
private struct NumberSequence<
  Object: AnyObject, Numbers: AsyncSequence<Int, Never> & Sendable
> {
  let name: String
  let makeObject: () -> Object
  let set: (Object, Int) -> Void
  let makeSequence: (Object) -> Numbers

  // Not for `Observations`, which may wait for ever if they are iterated on the actor of the set.
  /// A task sets the property, and asks for the element after that.
  var setBeforeNext: Subject {
    Subject("\(name), set + next()", callbacks: 1) { ledger in
      let object = makeObject()
      let loop = JobLoop()
      let consumer = Consumer(on: loop)
      // Used on the thread of the loop alone.
      nonisolated(unsafe) let (property, setProperty) = (object, set)
      let set: @Sendable (Int) -> Void = { setProperty(property, $0) }
      let numbers = makeSequence(object)
      let (ranges, measured) = AsyncStream.makeStream(of: Range<Int>.self)
      ledger.keep(
        CancellingOnEnd(Task { await consumer.note(numbers, after: set, in: ranges, ledger) }))
      return { passes in
        let first = ledger.callbacks
        measured.yield(first..<first + passes)
        loop.run { ledger.callbacks == first + passes }
      }
    }
  }

  /// A task waits for the element when the property is set.
  var setWhileWaiting: Subject {
    Subject("\(name), set while a task waits", callbacks: 1) { ledger in
      let object = makeObject()
      let loop = JobLoop()
      let consumer = Consumer(on: loop)
      let numbers = makeSequence(object)
      ledger.keep(CancellingOnEnd(Task { await consumer.noteAll(numbers, ledger) }))
      loop.run { ledger.callbacks == 1 }
      var value = 0
      return { passes in
        for _ in 0..<passes {
          value += 1
          set(object, value)
          let next = ledger.callbacks + 1
          loop.run { ledger.callbacks == next }
        }
      }
    }
  }
}

/// Iterates sequences on the thread that runs its loop.
private actor Consumer {
  private let loop: JobLoop

  init(on loop: JobLoop) {
    self.loop = loop
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Notes every element.
  func noteAll<Numbers: AsyncSequence<Int, Never> & Sendable>(
    _ numbers: Numbers, _ ledger: Ledger
  ) async {
    for await number in numbers { ledger.note(number) }
  }

  /// Notes one element after each set.
  func note<Numbers: AsyncSequence<Int, Never> & Sendable>(
    _ numbers: Numbers, after set: @Sendable (Int) -> Void, in ranges: AsyncStream<Range<Int>>,
    _ ledger: Ledger
  ) async {
    var iterator = numbers.makeAsyncIterator()
    _ = await iterator.next(isolation: self)
    for await range in ranges {
      for value in range {
        set(value)
        if let number = await iterator.next(isolation: self) { ledger.note(number) }
      }
    }
  }
}

/// Cancels a task when it is released.
private final class CancellingOnEnd {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) {
    self.task = task
  }

  deinit { task.cancel() }
}
