/// A value as a message shows it: text in quotes, and the beginning of a long one.
func shown(_ value: Any?) -> String {
  guard let value else { return "nil" }
  return shown(String(describing: value), of: type(of: value))
}

/// The part of a description that a message shows.
func shown(_ description: String, of type: Any.Type) -> String {
  let text = description.count > 80 ? "\(description.prefix(80))…" : description
  return type is any StringProtocol.Type || type is Character.Type ? "\"\(text)\"" : text
}
