/// A value as a sentence shows it: text in quotes, and not more of it than one reads.
func shown(_ value: Any?) -> String {
  guard let value else { return "nil" }
  return shown(String(describing: value), of: type(of: value))
}

/// What is shown of a value that is described already.
func shown(_ description: String, of type: Any.Type) -> String {
  let text = description.count > 80 ? "\(description.prefix(80))…" : description
  return type is any StringProtocol.Type || type is Character.Type ? "\"\(text)\"" : text
}
