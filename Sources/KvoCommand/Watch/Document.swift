import KeyValueObserving

/// The live objects of a document.
///
/// A later version of it changes only different values, so observers are notified of exactly those.
final class Document {
  let root = KeyValueDictionary()
  /// The contents of the live objects.
  private(set) var current: JSONObject = [:]

  /// Makes the live objects those of a version of the document, in one transaction.
  ///
  /// So a total is computed once, and observers see no state in between, which never was in the file.
  func apply(_ object: JSONObject) {
    withKeyValueTransaction { update(root, from: current, to: object) }
    current = object
  }

  /// The value at a key path; nil if it cannot be computed.
  func value(at keyPath: String) -> Any? { try? root.value(forKeyPath: keyPath) }

  private func update(
    _ live: KeyValueDictionary, from former: JSONObject, to current: JSONObject
  ) {
    for key in current.keys {
      guard let value = current[key], value != former[key] else { continue }
      if case .object(let former) = former[key], case .object(let current) = value,
        let nested = live[key] as? KeyValueDictionary
      {
        update(nested, from: former, to: current)
      } else if case .array(let former) = former[key], case .array(let current) = value,
        let array = try? live.mutableArrayValue(forKey: key)
      {
        update(array, from: former, to: current)
      } else {
        live[key] = Self.live(value)
      }
    }
    for key in former.keys where current[key] == nil { live.removeValue(forKey: key) }
  }

  /// Edits an array, and then the objects that are still there, key by key.
  private func update(
    _ live: KeyValueMutableArray<Any?>, from former: [JSONValue], to current: [JSONValue]
  ) {
    let edits = ArrayEdits(from: former, to: current)
    live.remove(at: edits.removals)
    live.insert(current[edits.insertions].map(Self.live), at: edits.insertions)
    live.replace(at: edits.replacements, with: current[edits.replacements].map(Self.live))
    for pair in edits.editedObjects {
      if case .object(let former) = former[pair.former],
        case .object(let current) = current[pair.current],
        let object = live[pair.current] as? KeyValueDictionary
      {
        update(object, from: former, to: current)
      }
    }
  }

  /// Makes the live form of a value.
  static func live(_ value: JSONValue) -> Any? {
    switch value {
    case .null: nil
    case .bool(let bool): bool
    case .number(.integer(let integer)): integer
    case .number(.double(let double)): double
    case .number(.decimal(let decimal)): decimal
    case .number(let literal): literal
    case .string(let string): string
    case .array(let elements): elements.map(live)
    case .object(let object):
      KeyValueDictionary(
        Dictionary(uniqueKeysWithValues: object.keys.map { ($0, object[$0].flatMap(live)) }))
    }
  }
}
