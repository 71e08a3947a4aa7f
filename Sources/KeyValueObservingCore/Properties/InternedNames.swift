/// The names of entries, which live as long as the program, one for each text: the observed key then
/// has the text in memory that the entry has, and is found without comparing texts.
private enum InternedNames {
  private static let lock = Lock()
  // Guarded by `lock`.
  nonisolated(unsafe) private static var names: [String: KeyName] = [:]

  /// Keys are data, so neither their number nor their length has a bound.
  private static var greatestCount: Int { 4096 }
  private static var greatestLength: Int { 128 }

  static func name(for key: String) -> KeyName? {
    if key.utf8.count > greatestLength || key.utf8.contains(0) { return nil }
    return lock.withLock {
      if let name = names[key] { return name }
      if names.count == greatestCount { return nil }
      let name = key.withKeyName { $0.immortal() }
      names[key] = name
      return name
    }
  }
}

extension KeyName {
  /// The name of an entry.
  ///
  /// End it with `deallocate()`, as every name that is kept.
  static func interned(_ key: String) -> KeyName {
    InternedNames.name(for: key) ?? key.withKeyName { $0.kept() }
  }
}
