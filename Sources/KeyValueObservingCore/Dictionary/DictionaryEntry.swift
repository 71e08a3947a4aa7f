/// The property that a key of dictionaries stands for.
final class DictionaryEntry: EntryProperty<KeyValueDictionary>, @unchecked Sendable {
  private init(_ key: String) {
    super.init(
      key, get: { $0[key] }, set: { $0[key] = $1 }, modify: { $0.modify(key, $1) })
  }

  override var mayRefuseValues: Bool { false }

  override func adopted(_ value: Any?) -> Any? { value.flatMap(KeyValueDictionary.adopt) }

  /// The property of a key.
  ///
  /// The first keys are kept, since documents repeat few of them in many objects, and to make a
  /// property takes many times as long as to read one.
  static func entry(for key: String) -> DictionaryEntry {
    if let entry = lock.withLock({ entries[key] }) { return entry }
    let entry = DictionaryEntry(key)
    lock.withLock {
      if entries.count < limit { entries[key] = entry }
    }
    return entry
  }

  private static let lock = Lock()
  // Guarded by `lock`.
  nonisolated(unsafe) private static var entries: [String: DictionaryEntry] = [:]

  private static var limit: Int { 256 }
}
