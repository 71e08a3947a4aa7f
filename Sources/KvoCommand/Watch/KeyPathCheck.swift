import KeyValueObserving

/// What a document says about a key path.
enum KeyPathCheck: Equatable {
  case works
  /// It leads to an object, which is a link that can be replaced, not the values in it.
  case endsAtObject
  /// A key is not there. It may come, but it may also be misspelt.
  case missing(key: String, suggestion: String?)
  /// A value on the way has no keys: `link` leads to it.
  case noKeys(link: String, kind: String)

  init(_ keyPath: String, in document: JSONObject) {
    let keys = keyPath.split(separator: ".").map(String.init).filter { $0 != "self" }
    self = .works
    var object = document
    for (place, key) in keys.enumerated() {
      let isLast = place == keys.count - 1
      switch object[key] {
      case nil:
        let neighbour = nearest(to: key, among: object.keys).map {
          (keys[..<place] + [$0] + keys[(place + 1)...]).joined(separator: ".")
        }
        self = .missing(key: keys[...place].joined(separator: "."), suggestion: neighbour)
        return
      case .null?:
        // An object may take its place.
        return
      case .object(let next)?:
        object = next
        if isLast { self = .endsAtObject }
      case let value?:
        if !isLast { self = .noKeys(link: keys[...place].joined(separator: "."), kind: value.kind) }
        return
      }
    }
  }

  /// What the user ought to know, nil if there is nothing.
  func remark(on keyPath: String, in file: String) -> String? {
    switch self {
    case .works:
      nil
    case .endsAtObject:
      """
      \(file): '\(keyPath)' is an object. A line tells when another value takes its place; to hear \
      of what is in it, watch its keys.
      """
    case .missing(let key, let suggestion):
      "\(file): there is no '\(key)', so \(key == keyPath ? "it" : "'\(keyPath)'") is null until "
        + "it comes." + (suggestion.map { " Did you mean '\($0)'?" } ?? "")
    case .noKeys(let link, let kind):
      """
      \(file): '\(keyPath)' leads nowhere, since '\(link)' is \(kind) and has no keys. Did you \
      mean '\(link)'?
      """
    }
  }
}
