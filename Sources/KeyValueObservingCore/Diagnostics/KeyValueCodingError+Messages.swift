// Every sentence of the errors. Each names the rule, the place, the value and the remedy.
extension KeyValueCodingError: CustomStringConvertible {
  /// The error as a sentence, with its remedy.
  public var description: String {
    switch self {
    case .undefinedKey(let key, let type, let suggestion):
      "\(spelling(of: type)) has no key '\(key)'. "
        + (suggestion.map { "Did you mean '\($0)'?" }
          ?? (hasDynamicKeys(type)
            ? "Its keys are those for which its keyValueProperty(forKey:) returns a property."
            : """
            Its keys are the properties in the bodies of @KeyValueObservable classes that are not \
            ignored.
            """))
    case .invalidKeyPath(let keyPath, let reason):
      "The key path '\(keyPath)' is invalid: \(reason)."
    case .invalidOperand(let keyPath, let reason):
      "The key path '\(keyPath)' cannot be evaluated: \(reason)."
    case .notObservable(let keyPath, let key, let type):
      """
      The key path '\(keyPath)' cannot run through '\(key)': values of type \(spelling(of: type)) \
      have no keys. Use a typed key path, or end the path at '\(key)'.
      """
    case .nilForNonOptional(let type, let key, let expected):
      """
      \(spelling(of: type)).\(key) cannot be nil: its type is \(spelling(of: expected)). Give it a \
      value, or say in setNilValueForKey(_:) what stands for nil.
      """
    case .typeMismatch(let type, let key, let expected, let actual, ProxyTarget.contents):
      """
      \(spelling(of: type)).\(key) cannot hold \(ProxyTarget.contents): its type is \
      \(spelling(of: expected)), not \(spelling(of: actual)). Take mutableArrayValue(forKey:) for an \
      array, mutableSetValue(forKey:) for a set, and setValue(_:forKey:) for all else.
      """
    case .typeMismatch(let type, let key, let expected, let actual, let value):
      """
      \(spelling(of: type)).\(key) cannot hold \(shown(value, of: actual)): its type is \
      \(spelling(of: expected)), not \(spelling(of: actual)). Convert it first: nothing is converted \
      that would lose something.
      """
    case .invalidValue(let type, let key, let value, let reason):
      "\(spelling(of: type)).\(key) cannot be set to \(value): \(reason)."
    case .readOnly(let type, let key):
      "\(spelling(of: type)).\(key) is read-only. Make its setter accessible, or set it in the class."
    case .writeOnly(let type, let key):
      """
      \(spelling(of: type)).\(key) is write-only: it can be set, and neither read nor observed. Read or \
      observe another key of the object.
      """
    case .nilLink(let keyPath, let key):
      """
      The key path '\(keyPath)' leads nowhere: '\(key)' is nil, so the value would be lost. Set \
      '\(key)' first.
      """
    }
  }
}

/// Whether the keys of a class are data.
///
/// Not asked off the actor to which its conformance is isolated.
private func hasDynamicKeys(_ type: Any.Type) -> Bool {
  (type as? any KeyValueObservable.Type)?.hasDynamicKeys ?? false
}
