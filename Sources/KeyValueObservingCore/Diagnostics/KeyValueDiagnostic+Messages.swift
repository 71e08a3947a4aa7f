// Every diagnostic of this module, in the order of its identifiers.
extension KeyValueDiagnostic {
  // MARK: Observing

  /// - `iterations`: How many changes in a row were made of which each was caused by the one before.
  static func nonConvergence(type: Any.Type, key: String, after iterations: Int) -> Self {
    Self(
      .nonConvergence, type: type, keyPath: key,
      Message(
        place(of: key, in: type),
        """
        observers kept changing the value for \(iterations) iterations, and were not notified of the \
        last one
        """,
        "Guard the assignment in the handler, such as `if value != wanted { … }`."))
  }

  /// - `iterations`: How many times in a row the getter was evaluated because an input had changed meanwhile.
  static func nonConvergence(ofGetter key: String, type: Any.Type, after iterations: Int) -> Self {
    Self(
      .nonConvergence, type: type, keyPath: key,
      Message(
        place(of: key, in: type),
        """
        what its getter reads was changed in \(iterations) evaluations in a row, by the getter and observers in \
        turn, and the value is that of the last one
        """,
        "Do not set in a getter what it reads."))
  }

  static func valueWithoutKeys(
    type: Any.Type, key: String, value: Any.Type, keyPath: String
  ) -> Self {
    Self(
      .valueWithoutKeys, type: type, keyPath: keyPath,
      Message(
        "'\(keyPath)'",
        """
        \(spelling(of: type)).\(key) holds a value of type \(spelling(of: value)), which has no \
        keys, so the value is nil
        """,
        "Store an object of a @KeyValueObservable class, or end the key path at '\(key)'."))
  }

  static func unobservableClass(
    keyPath: String, subject: Any.Type, key: String, class type: Any.Type
  ) -> Self {
    Self(
      .unobservableClass, type: subject, keyPath: keyPath,
      Message(
        place(of: keyPath, in: subject),
        """
        '\(key)' is declared with the class \(spelling(of: type)), which is not \
        KeyValueObservable, so the value stays nil
        """,
        """
        Add @KeyValueObservable to \(spelling(of: type)), or store objects of an observable \
        subclass.
        """))
  }

  static func brokenKeyPath(
    _ keyPath: String, of subject: Any.Type, because cause: Message
  ) -> Self {
    let place = place(of: keyPath, in: subject)
    let cause = cause.within(place, "'\(keyPath)'")
    return Self(
      .brokenKeyPath, type: subject, keyPath: keyPath,
      Message(place, "the value is nil, because \(cause.finding)", cause.remedy),
      reportedOncePer: keyPath)
  }

  /// - `addsProperties`: Whether the class lists more properties than its superclass, as a subclass without the macro
  ///   does not.
  static func unobservableKeyPath(
    _ keyPath: AnyKeyPath, of type: Any.Type, addsProperties: Bool
  ) -> Self {
    let text = String(describing: keyPath)
    return Self(
      .unobservableKeyPath, type: type, keyPath: text,
      Message(
        isHidden(text) ? place(of: text, in: type) : text,
        "no property on the key path is observable",
        addsProperties
          ? """
          Observe a property of a @KeyValueObservable class that is not marked with @KeyValueIgnored.
          """
          : """
          Make sure that \(spelling(of: type)) has @KeyValueObservable, and that the property is not \
          marked with @KeyValueIgnored.
          """))
  }

  static func untrackedRead(type: Any.Type, key: String, of other: String) -> Self {
    Self(
      .untrackedRead, type: type, keyPath: key,
      Message(
        place(of: key, in: type),
        """
        the value changed with '\(other)' but no observer was notified, because the getter of \
        '\(other)' does not record that it is read
        """,
        """
        Call keyValueRegistrar.access(_:of:) in that getter, or declare the dependency with \
        @KeyValueDependent(on:).
        """),
      reportedOncePer: key)
  }

  static func unobservableWeakTarget(type: Any.Type, key: String, target: Any.Type) -> Self {
    Self(
      .unobservableWeakTarget, type: type, keyPath: key,
      Message(
        place(of: key, in: type),
        """
        the property is weak and \(spelling(of: target)) is not KeyValueObservable, so observers \
        are not notified when the object is deallocated
        """,
        "Add @KeyValueObservable to \(spelling(of: target))."))
  }

  // MARK: Notifying manually, declaring dependencies

  static func unknownProperty(
    type: Any.Type, keyPath: AnyKeyPath, in function: StaticString
  ) -> Self {
    let text = String(describing: keyPath)
    return Self(
      .unknownProperty, type: type, keyPath: text,
      Message(
        call(function, with: isHidden(text) ? nil : text),
        """
        the key path is not that of an observable property of \(spelling(of: type)), so no \
        observer is notified
        """,
        "Pass the key path of one of its own properties."))
  }

  static func unknownProperty(
    type: Any.Type, key: String, in function: StaticString, because cause: Message
  ) -> Self {
    Self(
      .unknownProperty, type: type, keyPath: key,
      Message(
        call(function, with: "\"\(key)\""), "\(cause.finding), so no observer is notified",
        cause.remedy))
  }

  static func unknownDependency(
    _ keyPath: String, of subject: Any.Type, key: String, because cause: Message
  ) -> Self {
    Self(
      .unknownDependency, type: subject, keyPath: key,
      Message(
        place(of: key, in: subject),
        "the declared dependency '\(keyPath)' is not observed, because \(cause.finding)",
        cause.remedy))
  }

  static func dependencyOfValue(
    _ keyPath: String, of subject: Any.Type, key: String, at link: String, value: Any.Type
  ) -> Self {
    Self(
      .dependencyOfValue, type: subject, keyPath: key,
      Message(
        place(of: key, in: subject),
        """
        the declared dependency '\(keyPath)' is observed up to '\(link)' only, because values of \
        type \(spelling(of: value)) have no keys
        """,
        "Declare '\(link)' instead."))
  }

  // MARK: Transactions

  /// - `others`: The other properties that cannot be put back, each listed once.
  static func unrestoredValue(
    type: Any.Type, key: String, others: [(type: Any.Type, key: String)]
  ) -> Self {
    let list = list(others.map { place(of: $0.key, in: $0.type) }, quoted: false)
    let values = others.isEmpty ? "the value" : "the value, and those of \(list),"
    return Self(
      .unrestoredValue, type: type, keyPath: key,
      Message(
        place(of: key, in: type),
        """
        the transaction was rolled back, but \(values) cannot be put back, so observers are \
        notified of what is there now
        """,
        """
        Make the property weak instead of unowned, keep the object of a weak one, list a setter \
        for the key, or set it after the transaction.
        """))
  }

  static func unrestoredValue(byHistoryIn type: Any.Type, key: String) -> Self {
    Self(
      .unrestoredValue, type: type, keyPath: key,
      Message(
        place(of: key, in: type),
        """
        the history does not record changes of the property, because its value cannot be put back
        """,
        "List a setter for the key."))
  }

  static func unrestoredValue(byHistoryOf type: Any.Type) -> Self {
    Self(
      .unrestoredValue, type: type,
      Message(
        spelling(of: type),
        "the history records no changes of the object, which has dynamic keys only",
        "Keep values that are to be undone in stored properties of a @KeyValueObservable class."))
  }

  // MARK: Bindings

  static func unconvertedBoundValue(
    type: Any.Type, key: String, value: Any, target: Any.Type, targetKey: String
  ) -> Self {
    Self(
      .unconvertedBoundValue, type: type, keyPath: key,
      Message(
        place(of: key, in: type),
        """
        \(shown(value)) cannot be converted, so \(place(of: targetKey, in: target)) keeps its value
        """,
        "Let the converter of the binding return a value for it, or validate what is set."))
  }

  static func rejectedMutation(
    type: Any.Type, key: String, value: Any, target: Any.Type, targetKey: String,
    because cause: Message
  ) -> Self {
    let targetPlace = place(of: targetKey, in: target)
    let cause = cause.within(targetPlace)
    return Self(
      .rejectedMutation, type: type, keyPath: key,
      Message(
        place(of: key, in: type),
        """
        the value \(shown(value)) is not written to \(targetPlace), to which the key is bound, because \
        \(cause.finding)
        """,
        cause.remedy))
  }

  static func nonConvergence(
    type: Any.Type, key: String, boundTo otherKey: String, in other: Any.Type, after iterations: Int
  ) -> Self {
    Self(
      .nonConvergence, type: type, keyPath: key,
      Message(
        place(of: key, in: type),
        """
        the binding to \(place(of: otherKey, in: other)) was written \(iterations) times for one change, and \
        has ended
        """,
        "Do not set one side in the `didSet` of the other."))
  }

  static func bindingToItself(type: Any.Type, key: String) -> Self {
    Self(
      .bindingToItself, type: type, keyPath: key,
      Message(
        place(of: key, in: type), "the property is bound to itself, which has no effect",
        "Bind it to another property."))
  }

  // MARK: Proxies

  static func incompatibleElement(
    type: Any.Type, key: String, element: Any?, expected: Any.Type
  ) -> Self {
    Self(
      .incompatibleElement, type: type, keyPath: key,
      Message(
        place(of: key, in: type),
        """
        the mutation has no effect, because \(shown(element)) cannot be converted to \
        \(spelling(of: expected)) without loss
        """,
        "Pass elements of type \(spelling(of: expected))."))
  }

  static func proxyWithoutCollection(type: Any.Type, key: String, content: Any.Type) -> Self {
    Self(
      .proxyWithoutCollection, type: type, keyPath: key,
      Message(
        place(of: key, in: type),
        """
        the mutation has no effect, because the property no longer holds a collection but a value \
        of type \(spelling(of: content))
        """,
        "Assign nil or a collection before using the proxy."))
  }

  static func outdatedIndexes(
    _ span: Range<Int>, count: Int, type: Any.Type, key: String
  ) -> Self {
    Self(
      .outdatedIndexes, type: type, keyPath: key,
      Message(
        place(of: key, in: type),
        """
        the mutation has no effect, because a prior notification of it changed the array, so that \
        its indexes \(span) are out of range (count \(count))
        """,
        "Do not change an array in a prior notification of its own mutation."))
  }

  static func rejectedMutation(type: Any.Type, key: String, because cause: Message) -> Self {
    let place = place(of: key, in: type)
    let cause = cause.within(place)
    return Self(
      .rejectedMutation, type: type, keyPath: key,
      Message(place, "the mutation has no effect, because \(cause.finding)", cause.remedy))
  }
}

// MARK: Places

/// A key or key path with its class, which the text of a typed one includes.
private func place(of keyPath: String, in type: Any.Type) -> String {
  if isHidden(keyPath) { return "A key path of \(spelling(of: type))" }
  return keyPath.first == "\\" ? String(keyPath.dropFirst()) : "\(spelling(of: type)).\(keyPath)"
}

/// A call of a function with the argument for the label `forKey`, `for` or `of`.
private func call(_ function: StaticString, with argument: String?) -> String {
  let parts = "\(function)".split { "(:)".contains($0) }
  guard let argument, let name = parts.first else { return "\(function)" }
  var labels = parts.dropFirst()
  while labels.last == "_" { labels.removeLast() }
  var isFollowed = false
  let list = labels.map { label in
    defer { isFollowed = ["forKey", "for", "of"].contains(label) }
    let separator = isFollowed ? ", " : ""
    return ["forKey", "for", "of"].contains(label)
      ? "\(label): \(argument)" : "\(separator)\(label):"
  }
  return "\(name)(\(list.joined()))"
}

/// Whether a text shows an address: Swift hides the names of computed properties, which all of a
/// macro's are.
private func isHidden(_ keyPath: String) -> Bool { keyPath.contains("<computed ") }
