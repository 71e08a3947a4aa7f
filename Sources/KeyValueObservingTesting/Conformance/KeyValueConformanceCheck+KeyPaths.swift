// Key paths: those that are rejected, and how the objects on them are followed.
extension KeyValueConformanceCheck {
  static let rejection = Self(
    "P6", "a string key path that cannot be observed is rejected with an error"
  ) { trial in
    let object = try trial.make()
    let key = trial.source.key
    var keyPaths = ["", ".\(key)", "\(key).", "\(key)..\(key)", "self"]
    if !type(of: object).hasDynamicKeys { keyPaths.append("noSuchKeyAs_\(key)") }
    for keyPath in keyPaths {
      do {
        let end = try trial.observe(object, keyPath)
        end()
        trial.fail("'\(keyPath)' was not rejected.")
      } catch {
        trial.expect(
          error is KeyValueCodingError,
          "'\(keyPath)' was rejected with \(type(of: error)), not with KeyValueCodingError.")
      }
    }
  }

  static let reattaching = Self(
    "P25", "replacing an object on a key path is one change, and the replaced object sends none"
  ) { trial in
    guard let link = trial.source.link else { return }
    let root = try trial.make()
    let (one, other) = (try trial.make(trial.first), try trial.make(trial.second))
    let end = try trial.observe(root, "\(link).\(trial.source.key)", .new)
    try trial.set(one, of: root, forKey: link)
    try trial.set(trial.third, of: one)
    try trial.set(other, of: root, forKey: link)
    trial.expect(
      "object on the path set, last key set, object replaced",
      [
        .init("", .setting(to: trial.first, reason: .pathChanged)),
        .init("", .setting(to: trial.third)),
        .init("", .setting(to: trial.second, reason: .pathChanged)),
      ])
    try trial.set(trial.first, of: one)
    trial.expect("a set of the object that was replaced", [])
    try trial.set(trial.third, of: other)
    try trial.set(nil, of: root, forKey: link)
    trial.expect(
      "last key set, object on the path set to nil",
      [
        .init("", .setting(to: trial.third)),
        .init("", KeyValueChange<Any?>.setting(to: nil, reason: .pathChanged)),
      ])
    end()
    try trial.set(other, of: root, forKey: link)
    trial.expect("an object on the path set after the end", [])
  }

  static let cycle = Self(
    "P30", "a change of an object that is on a key path twice is delivered once"
  ) { trial in
    guard let link = trial.source.link else { return }
    let object = try trial.make()
    try trial.set(object, of: object, forKey: link)
    let end = try trial.observe(object, "\(link).\(link).\(trial.source.key)", .new)
    try trial.set(trial.second, of: object)
    trial.expect("a set of the last key", [.init("", .setting(to: trial.second))])
    end()
    // Otherwise it would keep itself alive.
    try trial.set(nil, of: object, forKey: link)
  }
}
