import Dispatch
import Models
import Observation

/// The module `Observation`, which comes with the toolchain.
enum ObservationPeer: Suite {
  static let title = "Compared with the module Observation"

  static var benchmarks: [Benchmark] {
    let setGoal = Goal.ratio(1 / 30)
    let rearmedGoal = Goal.ratio(1 / 50)
    var benchmarks = [
      Benchmark(Unobserved.getOwn, against: getOwn),
      Benchmark(Unobserved.getOther, against: getOther),
      // The figures of a class without observing.
      Benchmark(Unobserved.setInternal, against: setOwn),
      Benchmark(Unobserved.setOwn, against: setOwn, goal: setGoal),
      Benchmark(Unobserved.setOther, against: setOther, goal: setGoal),
      Benchmark(OneObserver.observed, against: rearmed(by: 1), goal: rearmedGoal),
      Benchmark(ManyObservers.observed(by: 10), against: rearmed(by: 10)),
      Benchmark(ManyObservers.observed(by: 1000), against: rearmed(by: 1000)),
    ]
    if #available(macOS 26, *) {
      benchmarks.append(Benchmark(OneObserver.observed, against: sequence))
    }
    return benchmarks
  }

  private static var getOwn: Subject {
    Subject("@Observable, get, own module") { _ in
      let object = OwnObservable()
      return { passes in
        for _ in 0..<passes { measuringSink(getCount(object)) }
      }
    }
  }

  private static var getOther: Subject {
    Subject("@Observable, get, other module") { _ in
      let object = ObservableModel()
      return { passes in
        for _ in 0..<passes { measuringSink(getCount(object)) }
      }
    }
  }

  // The values differ from pass to pass: setting an equal value would notify no observer.

  private static var setOwn: Subject {
    Subject("@Observable, set, untracked, own module") { _ in
      let object = OwnObservable()
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  private static var setOther: Subject {
    Subject("@Observable, set, untracked, other module") { _ in
      let object = ObservableModel()
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  static func rearmed(by observers: Int) -> Subject {
    Subject("@Observable, set, \(observers) tracking, re-armed", callbacks: observers) { ledger in
      let object = ObservableModel()
      for _ in 0..<observers { track(object, ledger) }
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
  static var sequence: Subject {
    Subject("Observations, set + next()", callbacks: 1) { ledger in
      let object = ObservableModel()
      return { passes in
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
          object.count = 0
          var values = Observations { object.count }.makeAsyncIterator()
          _ = await values.next()
          // Without passes it takes what it takes to begin (`LoopProbe.calibrate`).
          for value in stride(from: 1, through: passes, by: 1) {
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
