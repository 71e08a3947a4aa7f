import Dispatch
import Models
import Observation

/// What the module `Observation` costs, which comes with the toolchain.
enum Peers: Suite {
  static let title = "Peers: the module Observation"

  static var benchmarks: [Benchmark] {
    var benchmarks = [
      Benchmark(read),
      Benchmark(unobserved),
      Benchmark(rearmed, against: OneObserver.observed),
      Benchmark(rearmedByMany, against: OneObserver.observed),
    ]
    if #available(macOS 26, *) {
      benchmarks.append(Benchmark(sequence, against: OneObserver.observed))
    }
    return benchmarks
  }

  private static var read: Subject {
    Subject("@Observable, get") { _ in
      let object = ObservableModel()
      return { passes in
        for _ in 0..<passes { measuringSink(getCount(object)) }
      }
    }
  }

  static var unobserved: Subject {
    Subject("@Observable, set, nobody tracking") { _ in
      let object = ObservableModel()
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  private static var rearmed: Subject {
    rearmed("@Observable, set, 1 tracking, re-armed", observers: 1)
  }

  private static var rearmedByMany: Subject {
    rearmed("@Observable, set, 10 tracking, re-armed", observers: 10)
  }

  private static func rearmed(_ name: String, observers: Int) -> Subject {
    Subject(name, callbacks: observers) { ledger in
      let object = ObservableModel()
      for _ in 0..<observers { track(object, ledger) }
      // Setting the value that is there would tell nobody.
      var value = 0
      return { passes in
        for _ in 0..<passes {
          value += 1
          setCount(object, value)
          for _ in 0..<observers { track(object, ledger) }
        }
      }
    }
  }

  private static func track(_ object: ObservableModel, _ ledger: Ledger) {
    withObservationTracking {
      measuringSink(object.count)
    } onChange: {
      ledger.note(1)
    }
  }

  @available(macOS 26, *)
  private static var sequence: Subject {
    Subject("Observations, set + next()", callbacks: 1) { ledger in
      let object = ObservableModel()
      return { passes in
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
          object.count = 0
          var values = Observations { object.count }.makeAsyncIterator()
          _ = await values.next()
          for value in 1...passes {
            setCount(object, value)
            if let value = await values.next() { ledger.note(value) }
          }
          isDone.signal()
        }
        isDone.wait()
      }
    }
  }
}
