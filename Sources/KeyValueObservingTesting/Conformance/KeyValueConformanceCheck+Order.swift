// The observers that receive a change, and their order.
extension KeyValueConformanceCheck {
  static let independence = Self("P4", "each registration ends on its own") { trial in
    let object = try trial.make()
    let end = try trial.observe(object, as: "first")
    let endOther = try trial.observe(object, as: "second")
    end()
    try trial.set(trial.second, of: object)
    endOther()
    trial.expect(
      "after the first of two observations ended",
      [.init("second", .setting(from: trial.first, to: trial.second))])
  }

  static let order = Self("P10", "observers are called in the order of registration") { trial in
    let object = try trial.make()
    let names = ["1", "2", "3"]
    let ends = try names.map { try trial.observe(object, nil, .prior, as: $0) }
    try trial.set(trial.second, of: object)
    for end in ends { end() }
    trial.expect(
      "three observers of prior notifications",
      names.map { KeyValueChangeRecord($0, KeyValueChange<Any>.setting(isPrior: true)) }
        + names.map { KeyValueChangeRecord($0, KeyValueChange<Any>.setting()) })
  }

  static let consistentOrder = Self(
    "P11", "a set inside a handler is delivered after all observers have received the change"
  ) { trial in
    let object = try trial.make()
    var isSet = false
    var tookEffect = false
    let end = try trial.observe(object, as: "1") { [unowned object] _ in
      guard !isSet else { return }
      isSet = true
      try? trial.set(trial.third, of: object)
      tookEffect = (try? trial.isValue(of: object, trial.third)) ?? false
    }
    let endOther = try trial.observe(object, as: "2")
    try trial.set(trial.second, of: object)
    end()
    endOther()
    trial.expect(tookEffect, "The set inside the handler did not take effect at once.")
    trial.expect(
      "a set inside the first handler",
      [
        .init("1", .setting(from: trial.first, to: trial.second)),
        .init("2", .setting(from: trial.first, to: trial.second)),
        .init("1", .setting(from: trial.second, to: trial.third)),
        .init("2", .setting(from: trial.second, to: trial.third)),
      ])
  }

  static let registeringMeanwhile = Self(
    "P13", "an observer added during a delivery receives the next change, a removed one none"
  ) { trial in
    let object = try trial.make()
    var endAdded: (() -> Void)?
    var endRemoved: (() -> Void)?
    let end = try trial.observe(object, nil, [], as: "first") { [unowned object] _ in
      endRemoved?()
      if endAdded == nil { endAdded = try? trial.observe(object, nil, [], as: "added") }
    }
    endRemoved = try trial.observe(object, nil, [], as: "removed")
    let endLast = try trial.observe(object, nil, [], as: "last")
    try trial.set(trial.second, of: object)
    trial.expect(
      "the change during which one observer was added and one removed",
      ["first", "last"].map { KeyValueChangeRecord($0, KeyValueChange<Any>.setting()) })
    try trial.set(trial.third, of: object)
    trial.expect(
      "the next change",
      ["first", "last", "added"].map { KeyValueChangeRecord($0, KeyValueChange<Any>.setting()) })
    for end in [end, endLast, endAdded ?? {}] { end() }
  }
}
