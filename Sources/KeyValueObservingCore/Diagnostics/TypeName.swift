/// The name of a type as it is written: `Person?` and `[String: Int]`, without modules.
package func spelling(of type: Any.Type) -> String {
  (type as? any SugaredType.Type)?.spelling ?? String(describing: type)
}

/// A type with a spelling that is shorter than its name, or whose arguments may have one.
private protocol SugaredType {
  static var spelling: String { get }
}

extension Optional: SugaredType {
  fileprivate static var spelling: String {
    let wrapped = KeyValueObservingCore.spelling(of: Wrapped.self)
    let isCompound = wrapped.hasPrefix("any ") || wrapped.contains("->") || wrapped.contains("&")
    return isCompound ? "(\(wrapped))?" : "\(wrapped)?"
  }
}

extension Array: SugaredType {
  fileprivate static var spelling: String {
    "[\(KeyValueObservingCore.spelling(of: Element.self))]"
  }
}

extension Set: SugaredType {
  fileprivate static var spelling: String {
    "Set<\(KeyValueObservingCore.spelling(of: Element.self))>"
  }
}

extension Dictionary: SugaredType {
  fileprivate static var spelling: String {
    let key = KeyValueObservingCore.spelling(of: Key.self)
    return "[\(key): \(KeyValueObservingCore.spelling(of: Value.self))]"
  }
}
