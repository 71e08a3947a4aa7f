import FuzzSupport
import KeyValueObserving

@testable import FuzzedCommand

/// Gives a live document two versions, back and forth, and repeats the changes that its observers
/// receive.
///
/// The claims: the document shows each version; a key whose value is equal sends no notification;
/// and the former value with all changes applied is the current one.
struct DocumentTrial {
  private let former: JSONObject
  private let current: JSONObject
  private let live = Document()

  init(_ former: JSONObject, _ current: JSONObject) {
    (self.former, self.current) = (former, current)
  }

  func run() {
    live.apply(former)
    claimEqual(shown, former, "the former version")
    var repeaters: [String: Repeater] = [:]
    for key in Set(former.keys + current.keys) where isKeyPath(key) {
      repeaters[key] = Repeater(key, of: live.root)
    }
    live.apply(current)
    claimEqual(shown, current, "the current version")
    for (key, repeater) in repeaters {
      repeater.check(isChanged: former[key] != current[key])
    }
    live.apply(former)
    claimEqual(shown, former, "the former version, once more")
    for (key, repeater) in repeaters { repeater.check(isChanged: former[key] != current[key]) }
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
private final class Repeater {
  private let key: String
  private let root: KeyValueDictionary
  private var value: Any?
  private var count = 0
  private var token: KeyValueObservation?

  init?(_ key: String, of root: KeyValueDictionary) {
    self.key = key
    self.root = root
    value = root[key]
    do throws(KeyValueCodingError) {
      token = try root.observe(key, options: [.old, .new]) { [unowned self] _, change in
        receive(change)
      }
    } catch {
      claim(false, "'\(key)' cannot be observed: \(error)")
    }
  }

  /// Compares the value with the one that is there.
  func check(isChanged: Bool) {
    claimEqual(text(value), text(root[key]), "'\(key)' after \(count) changes")
    if !isChanged { claimEqual(count, 0, "changes of '\(key)', which is what it was") }
    count = 0
  }

  private func receive(_ change: KeyValueChange<Any?>) {
    count += 1
    let places = change.indexes.map { $0.ranges.flatMap(Array.init) } ?? []
    let old = (change.oldValue ?? nil) as? [Any?] ?? []
    let new = (change.newValue ?? nil) as? [Any?] ?? []
    guard change.kind != .setting else {
      claimEqual(text(change.oldValue ?? nil), text(value), "the old value of '\(key)'")
      return value = change.newValue ?? nil
    }
    var elements = value as? [Any?] ?? []
    if change.kind != .insertion {
      claimEqual(old.count, places.count, "old elements of '\(key)'")
      claimEqual(text(places.map { elements[$0] }), text(old), "old elements of '\(key)'")
    }
    if change.kind != .removal {
      claimEqual(new.count, places.count, "new elements of '\(key)'")
    }
    switch change.kind {
    case .insertion: for (place, new) in zip(places, new) { elements.insert(new, at: place) }
    case .removal: for place in places.reversed() { elements.remove(at: place) }
    default:
      for (place, (old, new)) in zip(places, zip(old, new)) {
        claim(text(old) != text(new), "'\(key)' has \(text(old)) replaced by the same")
        elements[place] = new
      }
    }
    claim(!places.isEmpty, "an edit of '\(key)' that does nothing")
    value = elements
  }

  private func text(_ value: Any?) -> String { JSONText.text(of: value) }
}
