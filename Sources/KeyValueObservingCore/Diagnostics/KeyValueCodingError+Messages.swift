// Every message of the errors.
extension KeyValueCodingError {
  /// The value in the error of a proxy for a property that cannot hold its collection.
  static let contentsOfProxy = "the collection of a proxy"

  /// The key or key path, what happened, and what to write instead.
  ///
  /// - `keys`: Returns what is known of the keys of a type.
  func message(listing keys: (Any.Type) -> ListedKeys) -> Message {
    switch self {
    case .undefinedKey(let key, let type, let suggestion):
      Message(
        nil, "\(spelling(of: type)) has no key '\(key)'",
        suggestion.map { "Did you mean '\($0)'?" } ?? keys(type).sentence)
    case .invalidKeyPath(let keyPath, let reason):
      reason.message(for: keyPath)
    case .invalidOperand(let keyPath, let reason):
      reason.message(for: keyPath)
    case .notObservable(let keyPath, let key, let type):
      Message(
        "'\(keyPath)'", "'\(key)' holds values of type \(spelling(of: type)), which have no keys",
        "Use a typed key path, or end the key path at '\(key)'.")
    case .nilForNonOptional(let type, let key, let expected):
      Message(
        property(key, of: type), "the type \(spelling(of: expected)) has no nil",
        "Pass a value, or override setNilValueForKey(_:).")
    case .typeMismatch(let type, let key, let expected, let actual, Self.contentsOfProxy):
      Message(
        property(key, of: type),
        "a proxy for \(spelling(of: actual)) cannot mutate \(spelling(of: expected))",
        """
        Use mutableArrayValue(forKey:) for an array, mutableSetValue(forKey:) for a set, and \
        setValue(_:forKey:) for other values.
        """)
    case .typeMismatch(let type, let key, let expected, let actual, let value):
      Message(
        property(key, of: type),
        """
        \(shown(value, of: actual)) of type \(spelling(of: actual)) cannot be converted to \
        \(spelling(of: expected)) without loss
        """,
        "Pass a value of type \(spelling(of: expected)).")
    case .invalidValue(let type, let key, let value, let reason):
      reason.message(for: value, at: property(key, of: type))
    case .readOnly(let type, let key):
      Message(
        property(key, of: type), keys(type).reasonAgainstSetting(key), keys(type).wayToSet(key))
    case .writeOnly(let type, let key):
      Message(
        property(key, of: type), "the property can be set, but neither read nor observed",
        "Read or observe another key of the object.")
    case .nilLink(let keyPath, let key):
      Message(
        "'\(keyPath)'", "'\(key)' holds nil, so there is no object whose value could be set",
        "Replace nil with an object first.")
    }
  }
}

extension KeyValueCodingError.KeyPathReason {
  fileprivate func message(for keyPath: String) -> Message {
    func message(_ finding: String, _ remedy: String) -> Message {
      Message("'\(keyPath)'", finding, remedy)
    }
    return switch self {
    case .empty:
      message("the key path is empty", "Name a key.")
    case .emptyComponent:
      message("a component of the key path is empty", "Put a key on both sides of each dot.")
    case .noProperty:
      message("an object itself is not a property", "Name one of its keys.")
    case .notMadeOfKeys:
      message(
        """
        the key path does not consist of keys: it runs through a structure, a subscript, or an \
        ignored property
        """,
        "Declare a computed property with a setter for the value, and bind that.")
    case .notAnObject(let key, let type):
      message(
        "'\(key)' holds \(spelling(of: type)), and a proxy belongs to the property of one object",
        "Request the proxy from that object, with the last key.")
    case .tooDeep(let limit):
      message(
        "the key path runs through more than \(limit) nested collections",
        "Evaluate a shorter key path, and the rest of it on the result.")
    case .unknownOperator(let word, let suggestion):
      message(
        "there is no collection operator '\(word)'",
        suggestion.map { "Did you mean '\($0)'?" }
          ?? "The operators are \(list(CollectionOperator.allCases.map(\.rawValue), limit: .max)).")
    case .missingOperand(let found):
      message(
        "'\(found)' needs a key path after it",
        "Append the key path of its operands, or 'self' for the elements themselves.")
    case .result(let found):
      message(
        "the result of '\(found)' cannot be set or mutated",
        "Set or mutate the collection from which it is computed.")
    case .notACollection(let source, let type, let found):
      message(
        """
        '\(found)' takes a collection, and '\(source)' \
        \(source.first == "@" ? "applies it to" : "holds") \(spelling(of: type))
        """,
        "Put the operator after a collection.")
    }
  }
}

extension KeyValueCodingError.OperandReason {
  fileprivate func message(for keyPath: String) -> Message {
    switch self {
    case .typeMismatch(let found, let expected, let actual, let value):
      Message(
        "'\(keyPath)'",
        "'\(found)' takes \(expected), and \(value) is of type \(spelling(of: actual))",
        "Name a key whose values are \(expected).")
    case .incomparable(let found, let value, let type, let other, let otherType):
      Message(
        "'\(keyPath)'",
        """
        '\(found)' cannot compare \(value) of type \(spelling(of: type)) with \(other) of type \
        \(spelling(of: otherType))
        """,
        "Name a key whose values are of one kind.")
    case .overflow(let sum):
      Message(
        "'\(keyPath)'", "the sum \(sum) does not fit in an Int",
        "Use '@avg', or add up the values that the key path without the operator reads.")
    }
  }
}

extension KeyValueCodingError.ValueReason {
  fileprivate func message(for value: String, at property: String) -> Message {
    switch self {
    case .outOfRange(let minimum, let maximum):
      Message(
        property, "\(value) is out of range",
        "Pass a number from \(minimum) to \(maximum).")
    case .typeMismatch(let expected):
      Message(property, "\(value) is not of the type \(expected)", "Pass a value of that type.")
    case .nullCharacter:
      Message(
        property, "the text contains a null character, at which a string of C ends",
        "Remove the character.")
    case .other(let reason):
      Message(property, "\(value) is not accepted, because \(reason)", nil)
    }
  }
}

// MARK: Keys

private func property(_ key: String, of type: Any.Type) -> String {
  "\(spelling(of: type)).\(key)"
}

/// The first words of several, and how many follow.
func list(_ words: [String], limit: Int = 8, quoted: Bool = true) -> String {
  let shown = words.prefix(limit).map { quoted ? "'\($0)'" : $0 }
  if words.count < 2 { return shown.first ?? "" }
  if shown.count == words.count {
    return shown.dropLast().joined(separator: ", ") + " and " + (shown.last ?? "")
  }
  return shown.joined(separator: ", ") + " and \(words.count - shown.count) more"
}
