// The content of changes, and the time at which they are delivered.
extension KeyValueConformanceCheck {
  static let options = Self("P2", "a change holds exactly what the options ask for") { trial in
    // The sixteen combinations that Cocoa knows.
    for bits in UInt(0)..<16 {
      let options = KeyValueObservation.Options(rawValue: bits)
      let object = try trial.make()
      let end = try trial.observe(object, nil, options)
      try trial.set(trial.second, of: object)
      end()
      trial.expect("with the options \(shown(options))", changes(trial, options))
    }
  }

  /// The options as a call spells them.
  private static func shown(_ options: KeyValueObservation.Options) -> String {
    let names: [(KeyValueObservation.Options, String)] = [
      (.new, ".new"), (.old, ".old"), (.initial, ".initial"), (.prior, ".prior"),
    ]
    return "[\(names.filter { options.contains($0.0) }.map(\.1).joined(separator: ", "))]"
  }

  private static func changes(
    _ trial: ConformanceTrial, _ options: KeyValueObservation.Options
  ) -> [KeyValueChangeRecord] {
    let old = options.contains(.old) ? Optional(trial.first) : nil
    let (before, after) =
      options.contains(.new) ? (Optional(trial.first), Optional(trial.second)) : (nil, nil)
    var changes: [KeyValueChange<Any>] = []
    if options.contains(.initial) { changes.append(KeyValueChange(newValue: before)) }
    if options.contains(.prior) { changes.append(KeyValueChange(oldValue: old, isPrior: true)) }
    changes.append(KeyValueChange(newValue: after, oldValue: old))
    return changes.map { KeyValueChangeRecord("", $0) }
  }

  static let initial = Self("P3", "initial delivers one change before registering is done") {
    trial in
    let object = try trial.make()
    let end = try trial.observe(object, nil, [.initial, .new, .old])
    trial.expect("before anything was set", [.init("", .setting(to: trial.first))])
    end()
  }

  static let promptness = Self(
    "P8", "a change is delivered before the setter returns, when the property has its new value"
  ) { trial in
    let object = try trial.make()
    var hasReturned = false
    var wasLate = false
    var read: RecordedValue?
    let end = try trial.observe(object) { [unowned object] _ in
      wasLate = hasReturned
      read = (try? trial.value(of: object)).map { RecordedValue($0) }
    }
    try trial.set(trial.second, of: object)
    hasReturned = true
    end()
    trial.expect("after a set", [.init("", .setting(from: trial.first, to: trial.second))])
    trial.expect(!wasLate, "The change was delivered after the setter had returned.")
    trial.expect(
      read == RecordedValue(trial.second),
      "In the handler the property read \(read?.description ?? "nothing") instead of the new value."
    )
  }

  static let equalAssignments = Self("P9", "an equal assignment is a change") { trial in
    let object = try trial.make()
    let end = try trial.observe(object)
    try trial.set(trial.first, of: object)
    end()
    trial.expect("after an equal set", [.init("", .setting(from: trial.first, to: trial.first))])
  }

  static let coding = Self("P43", "setting by key sets the property and notifies once") {
    trial in
    let object = try trial.make()
    let end = try trial.observe(object)
    for value in [trial.second, trial.third] {
      try trial.set(value, of: object)
      trial.expect(
        try trial.isValue(of: object, value),
        "\(trial.source.key) was set to \(value), but reads \(String(describing: try trial.value(of: object)))."
      )
    }
    end()
    trial.expect(
      "after two sets",
      [
        .init("", .setting(from: trial.first, to: trial.second)),
        .init("", .setting(from: trial.second, to: trial.third)),
      ])
  }
}
