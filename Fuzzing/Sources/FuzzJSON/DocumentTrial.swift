import FuzzSupport
import KeyValueObserving

@testable import FuzzedCommand

/// Gives a live document two versions, back and forth, and repeats the changes that are printed of each save.
///
/// The claims: the document shows each version; a key whose value is equal is not printed; and the former value with
/// all printed changes applied is the current one.
struct DocumentTrial {
  private let former: JSONObject
  private let current: JSONObject
  private let live = Document()

  init(_ former: JSONObject, _ current: JSONObject) {
    (self.former, self.current) = (former, current)
  }

  func run() {
    save(former, over: [:])
    save(current, over: former)
    save(former, over: current)
  }

  private func save(_ current: JSONObject, over former: JSONObject) {
    let keys = Set(former.keys + current.keys).filter(isKeyPath)
    var save = Save(to: live, of: Array(keys))
    var tokens: [KeyValueObservation] = []
    for key in keys {
      do throws(KeyValueCodingError) {
        tokens.append(
          try live.root.observe(key, options: [.old, .new]) { save.receive($1, of: key) })
      } catch {
        claim(false, "'\(key)' cannot be observed: \(error)")
      }
    }
    live.apply(current)
    for token in tokens { token.invalidate() }
    claimEqual(shown, current, "the version that was saved")
    for key in keys {
      Repetition(of: key, from: former[key] ?? .null)
        .check(save.changes(of: key, in: live), to: current[key] ?? .null)
    }
  }

  /// Whether a key means the same as a key path.
  private func isKeyPath(_ key: String) -> Bool {
    let bytes = key.utf8
    return !bytes.isEmpty && !bytes.contains(UInt8(ascii: ".")) && key != "self"
      && bytes.first != UInt8(ascii: "@")
  }

  private var shown: JSONObject {
    let text = JSONText.text(of: live.root)
    do throws(JSONError) {
      if case .object(let object) = try JSONReader.read(Array(text.utf8)) { return object }
      claim(false, "'\(text)' is no object")
    } catch {
      claim(false, "'\(text)' is shown: \(error)")
    }
    return [:]
  }
}

/// Does to a value what the changes of a key say.
private struct Repetition {
  private let key: String
  private let former: JSONValue
  /// The elements of an array, with nil for objects, which may be edited in their places.
  private var elements: [String?]

  init(of key: String, from former: JSONValue) {
    self.key = key
    self.former = former
    elements = Self.elements(of: former)
  }

  /// Compares the value with the one that is there after the changes.
  func check(_ changes: [KeyValueChange<Any?>], to current: JSONValue) {
    if former == current { return claimEqual(changes.count, 0, "changes of '\(key)'") }
    if let change = changes.first, change.kind == .setting {
      claimEqual(changes.count, 1, "changes of '\(key)', one of which sets it")
      claimEqual(text(change.oldValue), Self.text(former), "the old value of '\(key)'")
      return claimEqual(text(change.newValue), Self.text(current), "the new value of '\(key)'")
    }
    var copy = self
    for change in changes { copy.receive(change) }
    if case .object = former, case .object = current { return }
    claimEqual(copy.elements, Self.elements(of: current), "'\(key)' after \(changes.count) edits")
  }

  private mutating func receive(_ change: KeyValueChange<Any?>) {
    let places = change.indexes.map { $0.ranges.flatMap(Array.init) } ?? []
    claim(!places.isEmpty, "an edit of '\(key)' that does nothing")
    let (old, new) = (listed(change.oldValue), listed(change.newValue))
    if change.kind != .insertion {
      claimEqual(places.map { elements[$0] }, old.map(\.shown), "old elements of '\(key)'")
    }
    if change.kind != .removal {
      claimEqual(new.count, places.count, "new elements of '\(key)'")
    }
    switch change.kind {
    case .insertion:
      for (place, new) in zip(places, new) { elements.insert(new.shown, at: place) }
    case .removal: for place in places.reversed() { elements.remove(at: place) }
    default:
      for (place, (old, new)) in zip(places, zip(old, new)) {
        claim(old.text != new.text, "'\(key)' has \(old.text) replaced by the same")
        elements[place] = new.shown
      }
    }
  }

  private func listed(_ value: Any??) -> [(text: String, shown: String?)] {
    ((value ?? nil) as? [Any?] ?? []).map { element in
      let text = JSONText.text(of: element)
      return (text, element is KeyValueDictionary ? nil : text)
    }
  }

  private func text(_ value: Any??) -> String { JSONText.text(of: value ?? nil) }

  private static func text(_ value: JSONValue) -> String { JSONText.text(of: Document.live(value)) }

  private static func elements(of value: JSONValue) -> [String?] {
    guard case .array(let elements) = value else { return [] }
    return elements.map { element in
      if case .object = element { return nil }
      return text(element)
    }
  }
}
