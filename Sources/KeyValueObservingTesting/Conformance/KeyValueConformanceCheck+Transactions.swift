internal import KeyValueObservingCore

// Several changes as one.
extension KeyValueConformanceCheck {
  static let transaction = Self(
    "P44", "in a transaction a value is there at once, and delivered once at the end"
  ) { trial in
    let object = try trial.make()
    let end = try trial.observe(object)
    try withKeyValueTransaction {
      try trial.set(trial.second, of: object)
      trial.expect(
        try trial.isValue(of: object, trial.second), "A value that was set inside is not read.")
      trial.expect("before the end of a transaction", [])
      try trial.set(trial.third, of: object)
    }
    end()
    trial.expect(
      "after a transaction with two sets", [.init("", .setting(from: trial.first, to: trial.third))]
    )
  }

  static let equalTransaction = Self(
    "P45", "a value that is set in a transaction is delivered, also if it is equal at the end"
  ) { trial in
    let object = try trial.make()
    let end = try trial.observe(object)
    try withKeyValueTransaction {
      try trial.set(trial.second, of: object)
      try trial.set(trial.first, of: object)
    }
    end()
    trial.expect(
      "after a set and another one back", [.init("", .setting(from: trial.first, to: trial.first))])
  }

  static let movingTransaction = Self(
    "P46", "a key path whose object is replaced in a transaction has one change"
  ) { trial in
    guard let link = trial.source.link else { return }
    let root = try trial.make()
    let (one, other) = (try trial.make(trial.first), try trial.make(trial.second))
    try trial.set(one, of: root, forKey: link)
    let end = try trial.observe(root, "\(link).\(trial.source.key)")
    try withKeyValueTransaction {
      try trial.set(trial.second, of: one)
      try trial.set(other, of: root, forKey: link)
      try trial.set(trial.third, of: other)
    }
    try trial.set(trial.first, of: other)
    end()
    trial.expect(
      "a transaction that sets both objects and the one in between, and a set after it",
      [
        .init("", .setting(from: trial.first, to: trial.third, reason: .pathChanged)),
        .init("", .setting(from: trial.third, to: trial.first)),
      ])
  }

  static let transactionPriors = Self(
    "P47", "a prior notification precedes the first set of a transaction, and its change follows"
  ) { trial in
    let object = try trial.make()
    let end = try trial.observe(object, nil, [.old, .new, .prior])
    try trial.refused {
      try trial.set(trial.second, of: object)
      trial.expect(
        "after the first set", [.init("", .setting(from: trial.first, isPrior: true))])
      try trial.set(trial.third, of: object)
    }
    end()
    trial.expect(
      "after a transaction that was rolled back",
      [.init("", .setting(from: trial.first, to: trial.first))])
  }

  static let reentrantTransaction = Self(
    "P48", "a set inside a handler is delivered after the changes of the transaction"
  ) { trial in
    let object = try trial.make()
    var isSet = false
    let end = try trial.observe(object, as: "1") { [unowned object] _ in
      guard !isSet else { return }
      isSet = true
      try? trial.set(trial.third, of: object)
    }
    let endOther = try trial.observe(object, as: "2")
    try withKeyValueTransaction { try trial.set(trial.second, of: object) }
    end()
    endOther()
    trial.expect(
      "a set inside the first handler",
      [
        .init("1", .setting(from: trial.first, to: trial.second)),
        .init("2", .setting(from: trial.first, to: trial.second)),
        .init("1", .setting(from: trial.second, to: trial.third)),
        .init("2", .setting(from: trial.second, to: trial.third)),
      ])
  }

  static let rollback = Self(
    "P50", "an error takes back what a transaction has set, observed or not, and is not delivered"
  ) { trial in
    let (object, unobserved) = (try trial.make(), try trial.make())
    let end = try trial.observe(object)
    try trial.refused {
      try trial.set(trial.second, of: object)
      try trial.set(trial.third, of: unobserved)
      try trial.set(trial.third, of: object)
    }
    for object in [object, unobserved] {
      trial.expect(
        try trial.isValue(of: object, trial.first),
        "After a rollback \(trial.source.key) is not what it was before the transaction.")
    }
    trial.expect("after a rollback", [])
    try trial.set(trial.third, of: object)
    end()
    trial.expect(
      "a set after a rollback", [.init("", .setting(from: trial.first, to: trial.third))])
  }

  static let deliveringErrors = Self(
    "P50", "with `onError: .deliver` a set before an error is kept and delivered"
  ) { trial in
    let object = try trial.make()
    let end = try trial.observe(object)
    try trial.refused(onError: .deliver) { try trial.set(trial.second, of: object) }
    end()
    trial.expect(
      try trial.isValue(of: object, trial.second), "A set before an error was taken back.")
    trial.expect("after an error", [.init("", .setting(from: trial.first, to: trial.second))])
  }

  static let nesting = Self(
    "P52", "a nested transaction that throws takes back its own changes only"
  ) { trial in
    let (object, other) = (try trial.make(), try trial.make())
    let end = try trial.observe(object, as: "object")
    let endOther = try trial.observe(other, as: "other")
    try withKeyValueTransaction {
      try trial.set(trial.second, of: object)
      try trial.refused {
        try trial.set(trial.third, of: object)
        try trial.set(trial.third, of: other)
      }
    }
    end()
    endOther()
    trial.expect(
      try trial.isValue(of: other, trial.first),
      "After a nested rollback \(trial.source.key) of another object is not what it was.")
    trial.expect(
      "after a nested transaction that threw",
      [.init("object", .setting(from: trial.first, to: trial.second))])
  }

  static let registeringInside = Self(
    "P53", "an observer that is registered in a transaction starts from the value that it found"
  ) { trial in
    let object = try trial.make()
    var end: (() -> Void)?
    try withKeyValueTransaction {
      try trial.set(trial.second, of: object)
      end = try trial.observe(object)
      try trial.set(trial.third, of: object)
    }
    end?()
    trial.expect(
      "after the transaction", [.init("", .setting(from: trial.second, to: trial.third))])
  }

  static let passingOver = Self(
    "P57", "an observation is passed over if all changes are made without notifying it"
  ) { trial in
    func observe(_ object: some KeyValueObservable) throws -> KeyValueObservation {
      try object.observe(trial.source.key, options: [.old, .new]) { _, change in
        trial.record(change, as: "named")
      }
    }
    let object = try trial.make()
    let named = try observe(object)
    let end = try trial.observe(object, as: "other")
    try withKeyValueTransaction(withoutNotifying: [named]) {
      try trial.set(trial.second, of: object)
    }
    try trial.set(trial.third, of: object)
    end()
    named.invalidate()
    trial.expect(
      "a transaction in the name of an observation, and a set after it",
      [
        .init("other", .setting(from: trial.first, to: trial.second)),
        .init("named", .setting(from: trial.second, to: trial.third)),
        .init("other", .setting(from: trial.second, to: trial.third)),
      ])
  }
}

extension ConformanceTrial {
  private struct Refusal: Error {}

  /// Runs a transaction that ends with an error.
  func refused(
    onError policy: KeyValueTransactionErrorPolicy = .rollBack, _ body: () throws -> Void
  ) throws {
    do {
      try withKeyValueTransaction(onError: policy) {
        try body()
        throw Refusal()
      }
    } catch is Refusal {}
  }
}
