// Every sentence of the diagnostics. Each names the rule, the place, the value and the remedy.
extension KeyValueDiagnostic {
  static func doesNotSettle(type: Any.Type, key: String) -> Self {
    Self(
      """
      \(place(of: key, in: type)) was changed by its own observers for \(LoopLimit.generationLimit) \
      rounds without settling. The rounds end here, and those who keep changing it are not called \
      with its final value. Set it in a callback only if its value is not yet the one wanted.
      """)
  }

  static func unobservableLink(
    type: Any.Type, key: String, value: Any.Type, keyPath: String
  ) -> Self {
    Self(
      """
      The key path '\(keyPath)' ends at \(spelling(of: type)).\(key), and its value is nil: values \
      of type \(spelling(of: value)) have no keys. End the path there, or store an object of a \
      @KeyValueObservable class.
      """)
  }

  static func unobservableClass(
    keyPath: String, subject: Any.Type, key: String, class type: Any.Type
  ) -> Self {
    Self(
      """
      The key path '\(keyPath)' of \(spelling(of: subject)) is observed, and its value stays nil: the \
      class \(spelling(of: type)), whose objects '\(key)' holds, is not KeyValueObservable. Write \
      @KeyValueObservable in front of \(spelling(of: type)), or store objects of an observable subclass.
      """)
  }

  static func brokenPath(
    keyPath: String, subject: Any.Type, error: KeyValueCodingError
  ) -> Self {
    Self(
      """
      The key path '\(keyPath)' of \(spelling(of: subject)) is observed, and its value is nil until \
      it can be evaluated again. \(error)
      """,
      about: keyPath)
  }

  static func nothingToObserve(at keyPath: AnyKeyPath, of type: Any.Type) -> Self {
    Self(
      """
      No change of \(name(of: keyPath, in: type)) is told, because it reads nothing that can be \
      observed. Let it run through properties of observable classes that are not @KeyValueIgnored.
      """)
  }

  static func unseenChange(type: Any.Type, key: String, by other: String) -> Self {
    Self(
      """
      \(spelling(of: type)).\(key) changed with '\(other)', and its observers were not notified, because \
      its getter reads nothing that can be observed. Call keyValueRegistrar.access(_:of:) in the \
      getter of '\(other)', or declare the dependency with @KeyValueDependent(on:).
      """,
      about: key)
  }

  static func unobservableTarget(type: Any.Type, key: String, target: Any.Type) -> Self {
    Self(
      """
      The weak property \(spelling(of: type)).\(key) holds objects of the class \
      \(spelling(of: target)), which is not KeyValueObservable, so that their death is not told to \
      observers. Write @KeyValueObservable in front of \(spelling(of: target)).
      """)
  }

  static func notAProperty(type: Any.Type, keyPath: AnyKeyPath) -> Self {
    notAProperty(type: type, name: name(of: keyPath, in: type))
  }

  static func notAProperty(type: Any.Type, key: String) -> Self {
    notAProperty(type: type, name: "'\(key)'")
  }

  private static func notAProperty(type: Any.Type, name: String) -> Self {
    Self(
      """
      A change of \(spelling(of: type)) was posted manually for \(name), which is not one of its \
      properties, so no observer is notified. Post it for one of its keys, on the object that has it.
      """)
  }

  static func unknownDependency(
    _ keyPath: String, of subject: Any.Type, key: String, error: KeyValueCodingError
  ) -> Self {
    Self(
      """
      \(spelling(of: subject)) declares that '\(key)' depends on '\(keyPath)', of which changes are \
      not seen. \(error)
      """)
  }

  static func endingDependency(
    _ keyPath: String, of subject: Any.Type, key: String, at link: String, value: Any.Type
  ) -> Self {
    Self(
      """
      \(spelling(of: subject)) declares that '\(key)' depends on '\(keyPath)', of which changes are \
      seen up to '\(link)' only: values of type \(spelling(of: value)) have no keys that can be \
      declared. End the key path at '\(link)'; what the getter reads behind it is found.
      """)
  }

  static func unacceptableMember(
    type: Any.Type, key: String, member: Any?, expected: Any.Type
  ) -> Self {
    Self(
      """
      An edit of the proxy for \(spelling(of: type)).\(key) changed nothing: \(shown(member)) does \
      not become a value of type \(spelling(of: expected)) without loss. Convert it first.
      """)
  }

  static func unfitForProxy(type: Any.Type, key: String, content: Any.Type) -> Self {
    Self(
      """
      An edit of the proxy for \(spelling(of: type)).\(key) changed nothing: it holds a value of \
      type \(spelling(of: content)) by now. Set it to nil or to a collection like the one for which \
      the proxy was made.
      """)
  }

  static func refusedEdit(type: Any.Type, key: String, error: KeyValueCodingError) -> Self {
    Self(
      """
      An edit of the proxy for \(spelling(of: type)).\(key) changed nothing: the setter of the key has \
      thrown. \(error)
      """)
  }

  static func outdatedEdit(_ misfit: EditMisfit, type: Any.Type, key: String) -> Self {
    Self(
      """
      An edit of the proxy for \(spelling(of: type)).\(key) changed nothing: it is for the indexes \
      \(misfit.span), but the array has \(misfit.count) elements since it was changed in a prior \
      notification of the edit. Do not change an array in prior notifications of its own edits.
      """)
  }
}

/// A key or key path of a class, at the beginning of a sentence.
///
/// The text of a typed one begins with the class.
private func place(of keyPath: String, in type: Any.Type) -> String {
  if isHidden(keyPath) { return "A key path of \(spelling(of: type))" }
  return keyPath.first == "\\" ? String(keyPath.dropFirst()) : "\(spelling(of: type)).\(keyPath)"
}

/// A typed key path, within a sentence.
private func name(of keyPath: AnyKeyPath, in type: Any.Type) -> String {
  let text = String(describing: keyPath)
  return isHidden(text) ? "a key path of \(spelling(of: type))" : "'\(text)'"
}

/// Whether a text shows an address: Swift hides the names of computed properties, which all of a
/// macro's are.
private func isHidden(_ keyPath: String) -> Bool { keyPath.contains("<computed ") }
