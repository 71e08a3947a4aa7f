// Objects that report their changes afterwards, and that are notified of being observed.
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
    "P70", "a key is observed while a key path leads to it, and no longer"
  ) { trial in
    guard let link = trial.source.link else { return }
    let root = try trial.make()
    let (one, other) = (try trial.make(), try trial.make())
    try trial.set(one, of: root, forKey: link)
    let end = try trial.observe(root, "\(link).\(trial.source.key)")
    trial.expect(root, isObserved: true, "as the link of a key path", key: link)
    trial.expect(one, isObserved: true, "as the last key of a key path")
    try trial.set(other, of: root, forKey: link)
    trial.expect(one, isObserved: false, "when the link before it had been replaced")
    trial.expect(other, isObserved: true, "when the link had come to lead to it")
    end()
    trial.expect(root, isObserved: false, "when the observation had ended", key: link)
    trial.expect(other, isObserved: false, "when the observation along the key path had ended")
  }

  static let reporting = Self(
    "P72", "a change reported afterwards has the old and the new value, and no prior notification"
  ) { trial in
    guard let change = trial.source.changeByItself else { return }
    let object = try trial.make()
    let end = try trial.observe(object, nil, [.old, .new, .prior])
    change(object, trial.source.key, trial.second)
    change(object, trial.source.key, trial.third)
    end()
    change(object, trial.source.key, trial.first)
    trial.expect(
      "two changes that the object reported, and one after the end",
      [
        .init("", .setting(from: trial.first, to: trial.second)),
        .init("", .setting(from: trial.second, to: trial.third)),
      ])
  }

  static let formerValues = Self(
    "P73",
    "a key path over a link that the object has replaced has the old value that it had before"
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
      "a link replaced, and set to nil",
      [
        .init("", .setting(from: trial.first, to: trial.second, reason: .pathChanged)),
        .init(
          "",
          KeyValueChange<Any?>.setting(from: trial.second, to: nil, reason: .pathChanged)),
      ])
  }
}

extension ConformanceTrial {
  /// Asks an object that is notified of it whether a key is observed.
  fileprivate func expect(
    _ object: any KeyValueObservable, isObserved expected: Bool, _ situation: String,
    key: String? = nil
  ) {
    let key = key ?? source.key
    guard let isObserved = source.isObserved, isObserved(object, key) != expected else { return }
    fail("'\(key)' is \(expected ? "not observed" : "observed") to the object \(situation).")
  }
}
