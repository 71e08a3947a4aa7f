extension KeyName {
  // Keys are data, so neither their number nor their length has a bound.
  /// The names of entries, which live as long as the program, one for each text: the observed key then
  /// has the text in memory that the entry has, and is found without comparing texts.
  private static let internedNames = TextCache<KeyName>(limit: 4096)

  private static var greatestLength: Int { 128 }

  /// The name of an entry.
  ///
  /// End it with `deallocate()`, as every name that is kept.
  static func interned(_ key: String) -> KeyName {
    let isInterned = key.utf8.count <= greatestLength && !key.utf8.contains(0)
    return key.withKeyName { name in
      (isInterned ? internedNames.find(key) { name.immortal() } : nil) ?? name.kept()
    }
  }
}
