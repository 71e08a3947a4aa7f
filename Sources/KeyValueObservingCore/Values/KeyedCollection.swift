/// A dictionary that key paths run through, and that properties of the type can be set to.
protocol KeyedCollection {
  /// Whether the keys may be strings, so that a key path can lead on to an entry.
  static var hasStringKeys: Bool { get }
  var count: Int { get }
  /// The value of a key; nil also if no such key is there, which is no error.
  func value(forKey key: String) -> Any?
  /// All entries; nil if there are keys that are no strings.
  var entries: [String: Any?]? { get }
  var pairs: [(key: Any, value: Any?)] { get }
  /// A dictionary of the type with entries that are converted without loss; nil if that cannot be.
  init?(converting pairs: [(key: Any, value: Any?)])
}

extension Dictionary: KeyedCollection {
  static var hasStringKeys: Bool { Key.self == String.self || Key.self == AnyHashable.self }

  func value(forKey key: String) -> Any? {
    (key as? Key).flatMap { self[$0] }.flatMap { flatten($0) }
  }

  var entries: [String: Any?]? {
    var entries: [String: Any?] = [:]
    for (key, value) in self {
      guard let key = key as? String else { return nil }
      entries.updateValue(flatten(value), forKey: key)
    }
    return entries
  }

  var pairs: [(key: Any, value: Any?)] { map { ($0.key, flatten($0.value)) } }
}

/// A value as a dictionary that key paths lead on into; nil if it is none.
func stringKeyed(_ value: Any) -> (any KeyedCollection)? {
  (value as? any KeyedCollection).flatMap { type(of: $0).hasStringKeys ? $0 : nil }
}
