import KeyValueObserving

/// The changes of the watched key paths that one save makes, which a transaction delivers: one for each.
struct Save {
  /// The document before it, and the values of the key paths as they were written then: objects in them may be
  /// changed by it.
  private let former: JSONObject
  private let formerValues: [String: JSONText.Written]
  private var changes: [String: KeyValueChange<Any?>] = [:]

  /// Begins one.
  init(to document: Document, of keyPaths: [String]) {
    former = document.current
    formerValues = Dictionary(
      keyPaths.map { ($0, JSONText.Written(document.value(at: $0))) }, uniquingKeysWith: { $1 })
  }

  /// Receives the change of a key path.
  mutating func receive(_ change: KeyValueChange<Any?>, of keyPath: String) {
    changes[keyPath] = change
  }

  /// The lines to print of a key path, when the document is the current one: none if the value is what it was.
  ///
  /// Several kinds of edits of an array are a setting in a transaction. They are shown by themselves, since each
  /// is true of the file: the places of removals are those of the former version, and those of insertions of the
  /// current one.
  func changes(of keyPath: String, in document: Document) -> [KeyValueChange<Any?>] {
    guard var change = changes[keyPath] else { return [] }
    if change.kind != .setting { return [change] }
    if change.reason == .valueChanged, let former = former.array(at: keyPath),
      let current = document.current.array(at: keyPath)
    {
      return ArrayEdits(from: former, to: current).changes
    }
    let old = formerValues[keyPath]
    change.oldValue = .some(old)
    return old == JSONText.Written(change.newValue ?? nil) ? [] : [change]
  }
}

extension JSONObject {
  /// The array at a key path that leads through objects.
  fileprivate func array(at keyPath: String) -> [JSONValue]? {
    var value = JSONValue.object(self)
    for key in keyPath.split(separator: ".") where key != "self" {
      guard case .object(let object) = value, let next = object[String(key)] else { return nil }
      value = next
    }
    guard case .array(let elements) = value else { return nil }
    return elements
  }
}
