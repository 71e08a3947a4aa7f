internal import Dispatch
internal import KeyValueObservingCore

// Objects, pairs and threads of a transaction.
extension KeyValueConformanceCheck {
  static let keptObject = Self(
    "P54", "an object that was set in a transaction lives until its end"
  ) { trial in
    weak var witness: (any KeyValueObservable)?
    try withKeyValueTransaction {
      do {
        let object = try trial.make()
        witness = object
      }
      trial.expect(witness != nil, "The object was deallocated in the transaction.")
    }
    trial.expect(witness == nil, "The object is retained after the transaction.")
  }

  static let pairAroundBeginning = Self(
    "P55", "a pair that begins before a transaction is a change of its own"
  ) { trial in
    let object = try trial.make()
    let end = try trial.observe(object)
    object.willChangeValue(forKey: trial.source.key)
    try trial.set(trial.third, of: object)
    trial.expect(
      "a set between the calls of a pair", [.init("", .setting(from: trial.first, to: trial.third))]
    )
    try trial.refused {
      object.didChangeValue(forKey: trial.source.key)
      trial.expect("before the end of a transaction", [])
    }
    end()
    trial.expect(
      "a pair whose second call is in a transaction that is rolled back",
      [.init("", .setting(from: trial.first, to: trial.third))])
  }

  static let otherThread = Self(
    "P56", "a transaction of another thread does not put off what this one changes"
  ) { trial in
    let object = try trial.make()
    let end = try trial.observe(object)
    let (hasBegun, mayEnd, hasEnded) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    DispatchQueue.global().async {
      withKeyValueTransaction {
        hasBegun.signal()
        mayEnd.wait()
      }
      hasEnded.signal()
    }
    hasBegun.wait()
    let result = Result { try trial.set(trial.second, of: object) }
    trial.expect(
      "while another thread has a transaction open",
      [.init("", .setting(from: trial.first, to: trial.second))])
    mayEnd.signal()
    hasEnded.wait()
    end()
    try result.get()
  }
}
