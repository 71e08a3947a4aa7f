internal import KeyValueObservingCore

// Every sentence of this module. Each names the rule, the place, the value and the remedy.
extension KeyValueDiagnostic {
  static func observerNotAdded(
    observer: Any.Type, subject: Any.Type, keyPath: String, error: KeyValueCodingError
  ) -> Self {
    Self(
      """
      \(spelling(of: observer)) cannot observe '\(keyPath)' of \(spelling(of: subject)), so it was \
      not added. \(error)
      """)
  }

  static func observerNotRemoved(
    observer: Any.Type, subject: Any.Type, keyPath: String, context: String
  ) -> Self {
    Self(
      """
      \(spelling(of: observer)) cannot be removed from '\(keyPath)' of \(spelling(of: subject)), \
      because it is not registered there with \(context). Remove an observer once for each time \
      that it was added, with the same key path and context.
      """)
  }

  static func valuesNotSet(subject: Any.Type, error: KeyValueCodingError) -> Self {
    Self("setValuesForKeys(_:) of \(spelling(of: subject)): no value was set. \(error)")
  }

  static func unrepresentable(
    subject: Any.Type, keyPath: String, held: Any.Type, as type: Any.Type
  ) -> Self {
    let (held, type) = (spelling(of: held), spelling(of: type))
    return Self(
      """
      '\(keyPath)' of \(spelling(of: subject)) holds a value of type \(held), of which none of type \
      \(type) can be made, so it reads as nil. Read it as \(held), or let \(type) conform to \
      KVORepresentable with that KVOType.
      """)
  }

  static func notStored(type: Any.Type, key: String) -> Self {
    Self(
      """
      '\(key)' of ObservableUserDefaults cannot be set to a value of type \(spelling(of: type)), which \
      is not a property list type, so it keeps its value. Set strings, numbers, dates, data, URLs, or \
      arrays and dictionaries of them.
      """)
  }

  static func childNotObservable(_ child: Any.Type, of parent: Any.Type) -> Self {
    Self(
      """
      \(spelling(of: child)) is a child of \(spelling(of: parent)) but sends no notifications, so \
      observers of the parent are not notified of its progress. Make it an ObservableProgress.
      """)
  }
}
