import KeyValueObserving

/// The result of checking a key path in a document.
enum KeyPathCheck: Equatable {
  case works
  /// It leads to an object, which is a link that can be replaced, not the values in it.
  case endsAtObject
  /// It leads to an array with objects in it, which come and go. `key` is one of theirs.
  case endsAtElements(key: String?)
  /// A key is missing. It may be added, but it may also be misspelled.
  case missing(key: String, suggestion: String?)
  /// No element of the array to which `link` leads has a key.
  case missingInElements(link: String, key: String, suggestion: String?)
  /// A value on the way has no keys: `link` leads to it.
  case noKeys(link: String, kind: String)
  /// A collection operator stands behind what is no array: `link` leads to it.
  case noArray(link: String, operatorName: String, kind: String)

  init(_ keyPath: String, in document: JSONObject) {
    let words = keyPath.split(separator: ".").map(String.init).filter { $0 != "self" }
    self = Walk(words: words).check(.object(document), from: 0) ?? .works
  }

  /// Whether the path cannot work while the document is what it is.
  var leadsNowhere: Bool {
    switch self {
    case .noKeys, .noArray: true
    default: false
    }
  }

  /// Whether a change is one of the objects, and not of their values.
  var endsAtObjects: Bool {
    switch self {
    case .endsAtObject, .endsAtElements: true
    default: false
    }
  }
}
