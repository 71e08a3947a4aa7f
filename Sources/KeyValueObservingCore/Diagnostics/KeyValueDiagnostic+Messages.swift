// Every sentence of the diagnostics. Each names the rule, the place, the value and the remedy.
extension KeyValueDiagnostic {
  static func doesNotSettle(type: Any.Type, key: String) -> Self {
    Self(
      """
      \(type).\(key) was changed by its own observers for \(Settling.roundLimit) rounds without \
      settling. The rounds end here, and those who keep changing it are not called with its final \
      value. Set it in a callback only if its value is not yet the one wanted.
      """)
  }

  static func unobservableLink(
    type: Any.Type, key: String, value: Any.Type, keyPath: String
  ) -> Self {
    Self(
      """
      \(type).\(key) holds a \(value), which is not KeyValueObservable, so the key path \
      '\(keyPath)' ends there and its value is nil. Write @KeyValueObservable in front of \(value).
      """)
  }

  static func brokenPath(_ error: KeyValueCodingError) -> Self {
    Self(
      """
      An observed key path ends where a collection changed, and its value is nil until it can be \
      evaluated again. \(error)
      """)
  }

  static func unobservableTarget(type: Any.Type, key: String, target: Any.Type) -> Self {
    Self(
      """
      The weak property \(type).\(key) holds a \(target), which is not KeyValueObservable, so its \
      death cannot be told to observers. Write @KeyValueObservable in front of \(target).
      """)
  }

  static func notAProperty(type: Any.Type, keyPath: String) -> Self {
    Self(
      """
      A change of \(type) was announced for '\(keyPath)', which is none of its properties, so \
      nobody is told. Announce it for a property that keyValueProperties() lists, on the object \
      that has it.
      """)
  }

  static func unknownDependency(
    type: Any.Type, key: String, keyPath: String, subject: Any.Type
  ) -> Self {
    Self(
      """
      \(subject) declares a dependency on '\(keyPath)', but \(type) has no key '\(key)', so \
      changes of it cannot be seen. Correct the key path.
      """)
  }

  static func unacceptableMember(
    type: Any.Type, key: String, member: Any?, expected: Any.Type
  ) -> Self {
    Self(
      """
      An edit of the proxy for \(type).\(key) changed nothing: \(member.map { "\($0)" } ?? "nil") \
      cannot become a \(expected), which is what it holds, without loss. Convert it first.
      """)
  }

  static func unfitForProxy(type: Any.Type, key: String, content: Any.Type) -> Self {
    Self(
      """
      An edit of the proxy for \(type).\(key) changed nothing: it holds a \(content) by now. Set it \
      to nil or to a collection like the one for which the proxy was made.
      """)
  }

  package static func observerNotAdded(
    observer: Any.Type, subject: Any.Type, keyPath: String, error: KeyValueCodingError
  ) -> Self {
    Self(
      """
      \(observer) cannot observe '\(keyPath)' of \(subject), so it was not added. \(error)
      """)
  }

  package static func observerNotRemoved(
    observer: Any.Type, subject: Any.Type, keyPath: String, context: String
  ) -> Self {
    Self(
      """
      \(observer) cannot be removed from '\(keyPath)' of \(subject), because it is not registered \
      there with \(context). Remove an observer once for each time that it was added, with the \
      same key path and context.
      """)
  }

  package static func unrepresentable(
    subject: Any.Type, keyPath: String, held: Any.Type, as type: Any.Type
  ) -> Self {
    Self(
      """
      '\(keyPath)' of \(subject) holds a \(held), of which no \(type) can be made, so it reads as \
      nil. Read it as a \(held), or let \(type) conform to KVORepresentable with that KVOType.
      """)
  }
}
