// What can be wrong with a key path, each in a sentence that goes on after a colon.
extension KeyValueCodingError {
  static var emptyKeyPath: Self { .invalidKeyPath("", reason: "it is empty") }

  static func emptyComponent(in keyPath: String) -> Self {
    .invalidKeyPath(keyPath, reason: "it has an empty component")
  }

  static func nothingToObserve(in keyPath: String) -> Self {
    .invalidKeyPath(
      keyPath, reason: "an object itself does not change, name one of its keys")
  }

  static func nothingToSet(in keyPath: String) -> Self {
    .invalidKeyPath(keyPath, reason: "an object itself cannot be set, name one of its keys")
  }

  static func notAnObject(_ type: Any.Type, at link: String, in keyPath: String) -> Self {
    .invalidKeyPath(
      keyPath,
      reason: "a proxy stands for the property of one object, and '\(link)' is a \(type)")
  }

  static func operatorInProxy(_ found: CollectionOperator, in keyPath: String) -> Self {
    .invalidKeyPath(
      keyPath,
      reason: "what '\(found.rawValue)' computes cannot be edited")
  }

  static func nothingToEdit(in keyPath: String) -> Self {
    .invalidKeyPath(keyPath, reason: "an object itself is no collection, name one of its keys")
  }

  static func tooDeep(in keyPath: String) -> Self {
    .invalidKeyPath(
      keyPath,
      reason: """
        it runs through collections that lie in one another, more than \
        \(ParsedKeyPath.depthLimit) of them
        """)
  }

  // MARK: Operators

  static func unknownOperator(_ word: String, in keyPath: String) -> Self {
    let known = CollectionOperator.allCases.map(\.rawValue)
    let suggestion = nearest(to: word, among: known).map { " (did you mean '\($0)'?)" } ?? ""
    return .invalidKeyPath(
      keyPath, reason: "there is no collection operator '\(word)'" + suggestion)
  }

  static func missingOperand(of found: CollectionOperator, in keyPath: String) -> Self {
    .invalidKeyPath(
      keyPath,
      reason: """
        '\(found.rawValue)' must be told what to take of each member. Write a key path behind it, \
        or 'self' for the members themselves
        """)
  }

  static func unsettableOperator(_ found: CollectionOperator, in keyPath: String) -> Self {
    .invalidKeyPath(keyPath, reason: "what '\(found.rawValue)' computes cannot be set")
  }

  static func notACollection(
    _ type: Any.Type, at link: String, _ found: CollectionOperator, in keyPath: String
  ) -> Self {
    .invalidKeyPath(
      keyPath, reason: "'\(found.rawValue)' takes a collection, and '\(link)' is a \(type)")
  }

  // MARK: Operands

  static func invalidOperand(
    _ value: Any, of found: CollectionOperator, takes kind: String, in keyPath: String
  ) -> Self {
    .invalidOperand(
      keyPath: keyPath,
      reason: "'\(found.rawValue)' takes \(kind), and \(value) is a \(type(of: value))")
  }

  static func incomparable(
    _ value: Any, _ other: Any, to found: CollectionOperator, in keyPath: String
  ) -> Self {
    .invalidOperand(
      keyPath: keyPath,
      reason: """
        '\(found.rawValue)' cannot compare \(value), a \(type(of: value)), with \(other), a \
        \(type(of: other))
        """)
  }

  static func inexactSum(_ sum: WideInteger, in keyPath: String) -> Self {
    .invalidOperand(keyPath: keyPath, reason: "no Int can hold the sum \(sum)")
  }
}
