import KeyValueObserving

/// The live objects of a document.
///
/// A later version of it changes only different values, so observers are notified of exactly those.
final class Document {
  let root = KeyValueDictionary()
  /// The contents of the live objects.
  private var current: JSONObject = [:]

  func apply(_ object: JSONObject) {
    update(root, from: current, to: object)
    current = object
  }

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

  /// Edits an array so that places are those of the files: first what is gone goes, from the places
  /// that it had, then what has come is put where it is.
  ///
  /// Objects that are still there are updated last, key by key. An array in an array is a value,
  /// and replaced if anything in it differs.
  private func update(
    _ live: KeyValueMutableArray<Any?>, from former: [JSONValue], to current: [JSONValue]
  ) {
    let difference = ArrayDifference(from: former, to: current)
    live.remove(at: difference.removals)
    live.insert(current[difference.insertions].map(Self.live), at: difference.insertions)
    let edited = difference.pairs.filter { former[$0.former] != current[$0.current] }
    var replacements = RangeSet<Int>()
    for pair in edited where !former[pair.former].isSameObject(as: current[pair.current]) {
      replacements.insert(pair.current, within: current)
    }
    live.replace(at: replacements, with: current[replacements].map(Self.live))
    for pair in edited where !replacements.contains(pair.current) {
      if case .object(let former) = former[pair.former],
        case .object(let current) = current[pair.current],
        let object = live[pair.current] as? KeyValueDictionary
      {
        update(object, from: former, to: current)
      }
    }
  }

  /// Makes the live form of a value.
  private static func live(_ value: JSONValue) -> Any? {
    switch value {
    case .null: nil
    case .bool(let bool): bool
    case .number(.integer(let integer)): integer
    case .number(.double(let double)): double
    case .number(let literal): literal
    case .string(let string): string
    case .array(let elements): elements.map(live)
    case .object(let object):
      KeyValueDictionary(
        Dictionary(uniqueKeysWithValues: object.keys.map { ($0, object[$0].flatMap(live)) }))
    }
  }
}
