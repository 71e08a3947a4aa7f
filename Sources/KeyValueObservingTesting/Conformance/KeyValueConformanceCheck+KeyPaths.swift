// Key paths: what is refused, and how links are followed.
extension KeyValueConformanceCheck {
  static let refusal = Self("P6", "a string key path that cannot work is refused") { trial in
    let object = try trial.make()
    let key = trial.source.key
    var keyPaths = ["", ".\(key)", "\(key).", "\(key)..\(key)", "self"]
    if !type(of: object).hasDynamicKeys { keyPaths.append("noSuchKeyAs_\(key)") }
    for keyPath in keyPaths {
      do {
        let end = try trial.observe(object, keyPath)
        end()
        trial.fail("'\(keyPath)' was not refused.")
      } catch {
        trial.expect(
          error is KeyValueCodingError, "'\(keyPath)' was refused with \(type(of: error)).")
      }
    }
  }

  static let rewiring = Self(
    "P25", "every replacement of a link is one change, and the detached tail is silent"
  ) { trial in
    guard let link = trial.source.link else { return }
    let root = try trial.make()
    let (one, other) = (try trial.make(trial.first), try trial.make(trial.second))
    let end = try trial.observe(root, "\(link).\(trial.source.key)", .new)
    try trial.set(one, of: root, forKey: link)
    try trial.set(trial.third, of: one)
    try trial.set(other, of: root, forKey: link)
    trial.expect(
      "link set, last key set, link replaced",
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
      "last key set, link set to nil",
      [
        .init("", .setting(to: trial.third)),
        .init("", KeyValueChange<Any?>.setting(to: nil, reason: .pathChanged)),
      ])
    end()
    try trial.set(other, of: root, forKey: link)
    trial.expect("a link set after the end", [])
  }

  static let cycle = Self("P30", "an object that stands on a path twice is heard once") { trial in
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
