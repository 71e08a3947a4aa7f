import KeyValueObserving

/// The live objects of a document. Reading it anew changes only what is different, so that
/// observers hear of exactly that.
final class Document {
  let root = KeyValueDictionary()

  func apply(_ object: JSONObject) {
    apply(object, to: root)
  }

  private func apply(_ object: JSONObject, to live: KeyValueDictionary) {
    let keys = Set(live.keys)
    for key in object.keys {
      guard let value = object[key] else { continue }
      let present = live[key]
      if case .object(let members) = value, let nested = present as? KeyValueDictionary {
        apply(members, to: nested)
      } else if !keys.contains(key) || !isEqual(present, value) {
        live[key] = self.live(value, reusing: present)
      }
    }
    for key in keys.sorted() where object[key] == nil { live.removeValue(forKey: key) }
  }

  /// Makes the live form of a value. The elements of an array that did not change stay the objects
  /// they were; those that did are new ones, so that the old array still shows what it held.
  private func live(_ value: JSONValue, reusing present: Any? = nil) -> Any? {
    switch value {
    case .null: return nil
    case .bool(let bool): return bool
    case .number(.integer(let integer)): return integer
    case .number(.double(let double)): return double
    case .number(let literal): return literal
    case .string(let string): return string
    case .array(let elements):
      let olds = present as? [Any?] ?? []
      return elements.enumerated().map { place, element in
        let old = place < olds.count ? olds[place] : nil
        return isEqual(old, element) ? old : live(element)
      }
    case .object(let members):
      let object = KeyValueDictionary()
      apply(members, to: object)
      return object
    }
  }

  private func isEqual(_ live: Any?, _ value: JSONValue) -> Bool {
    switch value {
    case .null: return live == nil
    case .bool(let bool): return live as? Bool == bool
    case .number(.integer(let integer)): return live as? Int == integer
    case .number(.double(let double)): return live as? Double == double
    case .number(let literal): return live as? JSONNumber == literal
    case .string(let string): return live as? String == string
    case .array(let elements):
      guard let array = live as? [Any?], array.count == elements.count else { return false }
      return zip(array, elements).allSatisfy { isEqual($0, $1) }
    case .object(let members):
      guard let object = live as? KeyValueDictionary, object.keys.count == members.keys.count
      else { return false }
      return object.keys.allSatisfy { key in
        members[key].map { isEqual(object[key], $0) } ?? false
      }
    }
  }
}
