/// The values of keys of which observers were notified.
///
/// A plain value without a lock.
struct WatchedValues {
  /// The value of a key that was observed or read, when it was last delivered or read.
  struct Last {
    let value: Any?
    fileprivate let version: Int
  }

  private var lasts: [String: Last] = [:]
  /// The values that getters return for keys while an external change is about to be delivered.
  private var formers: [String: Any?] = [:]
  /// The number of threads that are setting a key.
  ///
  /// Their changes are not external.
  private var changes: [String: Int] = [:]

  var keys: [String] { Array(lasts.keys) }

  func last(_ key: String) -> Last? { lasts[key] }

  func former(_ key: String) -> Any?? { formers[key] }

  mutating func watch(_ key: String, _ value: Any?) {
    if lasts[key] == nil { lasts[key] = Last(value: value, version: 0) }
  }

  mutating func beginChange(of key: String) { changes[key, default: 0] += 1 }

  /// Returns false if another thread has changed the key since `last`: `value` may be outdated then.
  mutating func endChange(of key: String, since last: Last?, to value: Any?) -> Bool {
    guard lasts[key]?.version == last?.version else { return false }
    changes[key] = changes[key].flatMap { $0 > 1 ? $0 - 1 : nil }
    update(key, value)
    return true
  }

  /// Returns false if the key is being set or refreshed, or was since `last`: that delivers the
  /// change.
  mutating func beginRefresh(of key: String, since last: Last) -> Bool {
    guard changes[key] == nil, formers[key] == nil, lasts[key]?.version == last.version else {
      return false
    }
    formers.updateValue(last.value, forKey: key)
    return true
  }

  /// A value that another thread has set since `last` is newer than `value`.
  mutating func endRefresh(of key: String, since last: Last, to value: Any?) {
    formers[key] = nil
    if lasts[key]?.version == last.version { update(key, value) }
  }

  private mutating func update(_ key: String, _ value: Any?) {
    if let last = lasts[key] { lasts[key] = Last(value: value, version: last.version + 1) }
  }
}
