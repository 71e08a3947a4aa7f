/// Something that went wrong and was survived.
public struct KeyValueDiagnostic: Sendable, CustomStringConvertible {
  /// The rule, the place, the value and the remedy, in two or three sentences.
  public let description: String

  /// What an observation says once, however often it meets it.
  let topic: String

  package init(_ description: String, about topic: String? = nil) {
    self.description = description
    self.topic = topic ?? description
  }
}
