/// The key paths by which typed key paths name the entries of a class: subscripts, whose arguments
/// nothing lists.
///
/// A getter of a subscript adds its own where it is read for a key path that is not known yet.
///
/// With them, `KeyPathDecomposer` finds a path through entries as it finds one through properties.
final class EntrySubscripts: @unchecked Sendable {  // `properties` is guarded by `lock`
  private let lock = Lock()
  /// By the key of the entry: a property for each type as which the entry is read.
  private var properties: [String: [KeyValueProperty]] = [:]

  /// Keys are data, so their number has no bound.
  private static var greatestCount: Int { 256 }

  /// The properties that the subscripts are, for the keys that have some of the names.
  func properties(named names: ArraySlice<KeyName>) -> [KeyValueProperty] {
    lock.withLock {
      properties.isEmpty ? [] : names.flatMap { properties[$0.key] ?? [] }
    }
  }

  /// Adds the property that a subscript of a type is, unless it is there.
  func add(_ key: String, _ valueType: Any.Type, _ make: () -> KeyValueProperty) {
    if lock.withLock({ !needs(key, valueType) }) { return }
    let made = make()
    // Another thread may have added it meanwhile.
    lock.withLock { if needs(key, valueType) { properties[key, default: []].append(made) } }
  }

  private func needs(_ key: String, _ valueType: Any.Type) -> Bool {
    properties.count < Self.greatestCount
      && !(properties[key]?.contains { $0.valueType == valueType } ?? false)
  }
}
