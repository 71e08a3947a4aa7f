import KeyValueObserving

/// A class that changes by itself, reports it afterwards, and makes one of the usual mistakes.
final class BrokenSource: KeyValueSource {
  enum Mistake: String, CaseIterable, Sendable {
    case none, keepsListening, listensAgain, reportsNewAsOld, reportsBefore, readsPastRegistrar
  }

  let keyValueRegistrar = KeyValueRegistrar()
  private let mistake: Mistake
  private var values: [String: Any] = [:]
  private(set) var listened: [String: Int] = [:]

  init(_ mistake: Mistake) { self.mistake = mistake }

  static func keyValueProperties() -> [KeyValueProperty] { [] }
  static var hasDynamicKeys: Bool { true }
  var dynamicKeys: [String] { Self.entries.keys.sorted() }
  func keyValueProperty(forKey key: String) -> KeyValueProperty? { Self.entries[key] }

  private static let entries = [
    "name": entry("name", String.self), "next": entry("next", BrokenSource?.self),
  ]

  private static func entry(_ key: String, _ type: Any.Type) -> KeyValueProperty {
    .entry(
      key, of: BrokenSource.self, valueType: type, get: { $0.value(key) },
      set: { source, value throws(KeyValueCodingError) in
        try source.keyValueRegistrar.set(
          entries[key]!, of: source, to: value, read: { source.values[key] },
          write: { source.values[key] = $0 })
      })
  }

  private func value(_ key: String) -> Any? {
    if mistake == .readsPastRegistrar {
      keyValueRegistrar.access(dynamicKey: key, of: self)
      return values[key]
    }
    return keyValueRegistrar.value(of: Self.entries[key]!, in: self) { values[key] }
  }

  func change(_ key: String, to value: Any?) {
    guard listened[key, default: 0] > 0 else { return values[key] = value }
    let former = values[key]
    if mistake != .reportsBefore { values[key] = value }
    keyValueRegistrar.didChange(
      Self.entries[key]!, of: self, from: mistake == .reportsNewAsOld ? value : former, to: value)
    values[key] = value
  }

  func didBecomeObserved(forKey key: String) { listened[key, default: 0] += 1 }

  func didBecomeUnobserved(forKey key: String) {
    if mistake != .keepsListening { listened[key, default: 0] -= 1 }
    if mistake == .listensAgain { listened[key] = 1 }
  }
}
