extension KeyValueRegistrar {
  // Asked in place, the compiler would warn in release builds that what follows is never executed.
  /// Whether the code that asks is compiled for debugging.
  @_alwaysEmitIntoClient
  @inline(__always)
  static var isDebugging: Bool { _isDebugAssertConfiguration() }

  /// Stops the program if the class lists the property that a setter names with another type.
  ///
  /// A key that the class does not list is not checked: it has no observers that read values.
  @usableFromInline
  func checkType<Subject: KeyValueObservable>(
    _ type: Any.Type, ofValuesOf key: StaticString, in subject: Subject
  ) {
    let name = KeyName(key)
    guard isObserved, let property = subject.keyValueProperty(named: name), property.name == name,
      property.valueType != type
    else { return }
    Trap.wrongType(type, ofValuesOf: property.key, in: Subject.self, listedAs: property.valueType)
      .stop()
  }
}
