// Objects that post notifications afterwards, and that are notified of being observed.
extension KeyValueConformanceCheck {
  static let becomingObserved = Self(
    "P70", "an object is notified of the first observer of a key, and of the end of the last one"
  ) { trial in
    let object = try trial.make()
    trial.expect(object, isObserved: false, "before it was observed")
    let end = try trial.observe(object)
    trial.expect(object, isObserved: true, "when it was observed")
    let endOther = try trial.observe(object)
    end()
    trial.expect(object, isObserved: true, "when one of two observations had ended")
    endOther()
    trial.expect(object, isObserved: false, "when the last observation had ended")
    try trial.observe(object)()
    trial.expect(object, isObserved: false, "when it was observed again, and that had ended")
  }

  static let observedAlongPaths = Self(
    "P70", "a key is observed only while a key path leads to it"
  ) { trial in
    guard let link = trial.source.link else { return }
    let root = try trial.make()
    let (one, other) = (try trial.make(), try trial.make())
    try trial.set(one, of: root, forKey: link)
    let end = try trial.observe(root, "\(link).\(trial.source.key)")
    trial.expect(root, isObserved: true, "as an object on a key path", key: link)
    trial.expect(one, isObserved: true, "as the last key of a key path")
    try trial.set(other, of: root, forKey: link)
    trial.expect(one, isObserved: false, "when the object before it had been replaced")
    trial.expect(other, isObserved: true, "when it had replaced the object before")
    end()
    trial.expect(root, isObserved: false, "when the observation had ended", key: link)
    trial.expect(other, isObserved: false, "when the observation along the key path had ended")
  }

  static let reporting = Self(
    "P72", "a change posted afterwards has the old and the new value, and no prior notification"
  ) { trial in
    guard let change = trial.source.changeByItself else { return }
    let object = try trial.make()
    let end = try trial.observe(object, nil, [.old, .new, .prior])
    change(object, trial.source.key, trial.second)
    change(object, trial.source.key, trial.third)
    end()
    change(object, trial.source.key, trial.first)
    trial.expect(
      "two changes that the object posted, and one after the end",
      [
        .init("", .setting(from: trial.first, to: trial.second)),
        .init("", .setting(from: trial.second, to: trial.third)),
      ])
  }

  static let formerValues = Self(
    "P73",
    "the old value of a key path is that before an object on it was replaced"
  ) { trial in
    guard let change = trial.source.changeByItself, let link = trial.source.link else { return }
    let root = try trial.make()
    let (one, other) = (try trial.make(trial.first), try trial.make(trial.second))
    try trial.set(one, of: root, forKey: link)
    let end = try trial.observe(root, "\(link).\(trial.source.key)")
    change(root, link, other)
    change(root, link, nil)
    end()
    trial.expect(
      "an object on the path replaced, and set to nil",
      [
        .init("", .setting(from: trial.first, to: trial.second, reason: .pathChanged)),
        .init(
          "",
          KeyValueChange<Any?>.setting(from: trial.second, to: nil, reason: .pathChanged)),
      ])
  }
}

extension ConformanceTrial {
  /// Compares with what an object was last notified of.
  fileprivate func expect(
    _ object: any KeyValueObservable, isObserved expected: Bool, _ situation: String,
    key: String? = nil
  ) {
    let key = key ?? source.key
    guard let isObserved = source.isObserved, isObserved(object, key) != expected else { return }
    fail("'\(key)' is \(expected ? "not observed" : "observed") to the object \(situation).")
  }
}
