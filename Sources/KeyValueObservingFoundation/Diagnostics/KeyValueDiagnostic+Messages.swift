internal import KeyValueObservingCore

// Every diagnostic of this module, in the order of its identifiers.
extension KeyValueDiagnostic {
  static func observerNotAdded(
    observer: Any.Type, subject: Any.Type, keyPath: String, error: KeyValueCodingError
  ) -> Self {
    let cause = error.message.within("'\(keyPath)'", "\(spelling(of: subject)).\(keyPath)")
    return Self(
      .observerNotAdded, type: subject, keyPath: keyPath,
      Message(
        "addObserver(_:forKeyPath: \"\(keyPath)\")",
        "\(spelling(of: observer)) is not added, because \(cause.finding)", cause.remedy))
  }

  static func observerNotRegistered(
    observer: Any.Type, subject: Any.Type, keyPath: String, context: String
  ) -> Self {
    Self(
      .observerNotRegistered, type: subject, keyPath: keyPath,
      Message(
        "removeObserver(_:forKeyPath: \"\(keyPath)\")",
        """
        \(spelling(of: observer)) does not observe this key path of \(spelling(of: subject)) with \
        \(context)
        """,
        """
        Remove an observer once for each time that it was added, with the same key path and context.
        """))
  }

  static func valuesNotSet(subject: Any.Type, error: KeyValueCodingError) -> Self {
    let cause = error.message.within()
    return Self(
      .valuesNotSet, type: subject,
      Message(
        "setValuesForKeys(_:)",
        "no value of \(spelling(of: subject)) is set, because \(cause.finding)", cause.remedy))
  }

  static func incompatibleRepresentation(
    subject: Any.Type, keyPath: String, held: Any.Type, as type: Any.Type
  ) -> Self {
    let (held, type) = (spelling(of: held), spelling(of: type))
    return Self(
      .incompatibleRepresentation, type: subject, keyPath: keyPath,
      Message(
        "\(spelling(of: subject)).\(keyPath)",
        "a value of type \(held) cannot be read as \(type), so nil is delivered",
        "Read it as \(held), or conform \(type) to KVORepresentable with KVOType == \(held)."))
  }

  static func unsupportedDefault(type: Any.Type, key: String) -> Self {
    Self(
      .unsupportedDefault, keyPath: key,
      Message(
        "ObservableUserDefaults.set(_:forKey: \"\(key)\")",
        """
        a value of type \(spelling(of: type)) cannot be stored in a property list, so the default \
        keeps its value
        """,
        "Pass a string, number, date, URL or data, or an array or dictionary of them."))
  }

  static func unobservableChild(_ child: Any.Type, of parent: Any.Type) -> Self {
    Self(
      .unobservableChild, type: parent,
      Message(
        "\(spelling(of: parent)).addChild(_:withPendingUnitCount:)",
        """
        the child of type \(spelling(of: child)) sends no notifications, so observers of the \
        parent are not notified of its progress
        """,
        "Pass an ObservableProgress."))
  }
}
