// What can be wrong with a key path, and what to do about it, each in a sentence that goes on after a
// colon.
extension KeyValueCodingError {
  static var emptyKeyPath: Self { .invalidKeyPath("", reason: "it is empty; name a key") }

  static func emptyComponent(in keyPath: String) -> Self {
    .invalidKeyPath(
      keyPath, reason: "it has an empty component; put a key on both sides of each dot")
  }

  static func nothingToObserve(in keyPath: String) -> Self {
    .invalidKeyPath(
      keyPath, reason: "an object itself does not change; name one of its keys")
  }

  static func nothingToSet(in keyPath: String) -> Self {
    .invalidKeyPath(keyPath, reason: "an object itself cannot be set; name one of its keys")
  }

  static func nothingToEdit(in keyPath: String) -> Self {
    .invalidKeyPath(keyPath, reason: "an object itself is no collection; name one of its keys")
  }

  static func notAnObject(_ type: Any.Type, at link: String, in keyPath: String) -> Self {
    .invalidKeyPath(
      keyPath,
      reason: """
        a proxy stands for the property of one object, and '\(link)' is of type \
        \(spelling(of: type)); ask the object with the last key for it
        """)
  }

  static func tooDeep(in keyPath: String) -> Self {
    .invalidKeyPath(
      keyPath,
      reason: """
        it runs through collections that lie in one another, more than \
        \(ParsedKeyPath.depthLimit) of them; read the rest from what a shorter one leads to
        """)
  }

  // MARK: Operators

  static func unknownOperator(_ word: String, in keyPath: String) -> Self {
    let known = CollectionOperator.allCases.map(\.rawValue)
    let remedy =
      nearest(to: word, among: known).map { " (did you mean '\($0)'?)" }
      ?? "; there are " + known.joined(separator: ", ")
    return .invalidKeyPath(keyPath, reason: "there is no collection operator '\(word)'" + remedy)
  }

  static func missingOperand(of found: CollectionOperator, in keyPath: String) -> Self {
    .invalidKeyPath(
      keyPath,
      reason: """
        '\(found.rawValue)' must be told what to take of each member; write a key path behind it, \
        or 'self' for the members themselves
        """)
  }

  static func unsettableOperator(_ found: CollectionOperator, in keyPath: String) -> Self {
    .invalidKeyPath(
      keyPath,
      reason: "what '\(found.rawValue)' computes cannot be set; set what it is computed from")
  }

  static func operatorInProxy(_ found: CollectionOperator, in keyPath: String) -> Self {
    .invalidKeyPath(
      keyPath,
      reason: "what '\(found.rawValue)' computes cannot be edited; end the path at a collection")
  }

  static func notACollection(
    _ type: Any.Type, at link: String, _ found: CollectionOperator, in keyPath: String
  ) -> Self {
    .invalidKeyPath(
      keyPath,
      reason: """
        '\(found.rawValue)' takes a collection, and '\(link)' is of type \(spelling(of: type)); put \
        it behind a collection
        """)
  }

  // MARK: Operands

  static func invalidOperand(
    _ operand: Any, of found: CollectionOperator, takes kind: String, in keyPath: String
  ) -> Self {
    let value = Members.toStandardLibrary(operand)
    return .invalidOperand(
      keyPath: keyPath,
      reason: """
        '\(found.rawValue)' takes \(kind), and \(shown(value)) is of type \
        \(spelling(of: type(of: value))); name a key whose values are \(kind)
        """)
  }

  static func incomparable(
    _ value: Any, _ other: Any, to found: CollectionOperator, in keyPath: String
  ) -> Self {
    .invalidOperand(
      keyPath: keyPath,
      reason: """
        '\(found.rawValue)' cannot compare \(shown(value)) of type \
        \(spelling(of: type(of: value))) with \(shown(other)) of type \
        \(spelling(of: type(of: other))); name a key whose values are of one kind
        """)
  }

  static func inexactSum(_ sum: WideInteger, in keyPath: String) -> Self {
    .invalidOperand(
      keyPath: keyPath,
      reason: "no Int can hold the sum \(sum); use '@avg', or add up what the key path reads")
  }
}
