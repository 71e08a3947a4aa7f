/// Writes a value with the types of all its parts, so that two values have the same text if they
/// cannot be distinguished.
///
/// Objects are identified by address, and unordered values are sorted.
///
/// - `contents`: Returns the text of an object besides its identity.
public func valueText(_ value: Any?, contents: (AnyObject) -> String? = { _ in nil }) -> String {
  guard let value else { return "nil" }
  if type(of: value) is AnyClass {
    let object = value as AnyObject
    return "\(type(of: value))\(ObjectIdentifier(object).hashValue)\(contents(object) ?? "")"
  }
  let mirror = Mirror(reflecting: value)
  let members = mirror.children.map { valueText($0.value, contents: contents) }
  switch mirror.displayStyle {
  case .optional: return members.first ?? "nil"
  case .collection: return "\(type(of: value))[\(members.joined(separator: ", "))]"
  case .set, .dictionary: return "\(type(of: value)){\(members.sorted().joined(separator: ", "))}"
  case .tuple: return "(\(members.joined(separator: ", ")))"
  default: return "\(type(of: value))(\(value))"
  }
}
