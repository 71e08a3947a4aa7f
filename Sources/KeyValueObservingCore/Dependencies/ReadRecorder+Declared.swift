// Dependencies that are declared, and computed properties, whose getters do not record themselves.
extension UnsafeMutablePointer<ReadRecorder> {
  /// Reads what a key depends on by declaration, each key once (P22).
  func follow(
    _ keyPaths: [DeclaredKeyPath], from subject: some KeyValueObservable, observedKey: ObservedKey
  ) {
    guard pointee.extras.followed.insert(ObjectIdentifier(observedKey)).inserted else { return }
    for keyPath in keyPaths { read(keyPath, from: subject, for: observedKey) }
  }

  /// Records a read by key of a computed property, if reads are recorded on this thread.
  ///
  /// A stored property records its own reads. Of a computed one, manual notifications are inputs, too (P19), and so are
  /// its declared dependencies.
  static func noteComputed(_ key: String, of object: some KeyValueObservable) {
    guard KeyValueRegistrar.isTracking, let recorder = ReadRecorder.current,
      let property = object.keyValueProperty(forKey: key), property.kind == .computed
    else { return }
    recorder.noteRead(property.name, of: object, isComputed: true)
  }

  /// Reads the key path of a declared dependency, for the sake of what is read on the way (P21).
  fileprivate func read(
    _ keyPath: DeclaredKeyPath, from subject: some KeyValueObservable,
    for observedKey: ObservedKey
  ) {
    let keys = keyPath.keys
    func unknown(_ key: String, in object: any KeyValueObservable) -> KeyValueDiagnostic {
      .unknownDependency(
        keyPath.text, of: type(of: subject), key: observedKey.name.key,
        because: object.undefinedKey(key).message)
    }
    // Each returns what is wrong with the rest of the key path, if something is.
    func read(from index: Int, in object: any KeyValueObservable) -> KeyValueDiagnostic? {
      guard let property = object.keyValueProperty(forKey: keys[index]) else {
        return readManual(keys[index], isLast: index == keys.count - 1, in: object)
      }
      var mistake = read(property, at: index, in: object)
      // The class that declares the path may have meant one that only it sees.
      for hidden in PropertyTable.of(type(of: object)).hiddenProperties(forKey: keys[index])
      where read(hidden, at: index, in: object) == nil {
        mistake = nil
      }
      return mistake
    }
    // A key that is no property changes where a manual notification of it is posted. Nothing lies behind it, and one
    // that resembles a property is taken for a misspelled one.
    func readManual(
      _ key: String, isLast: Bool, in object: any KeyValueObservable
    ) -> KeyValueDiagnostic? {
      guard isLast else { return unknown(key, in: object) }
      key.withKeyName { name in _ = note(name, of: object) }
      let error = object.undefinedKey(key)
      if case .undefinedKey(_, _, suggestion: nil) = error { return nil }
      return unknown(key, in: object)
    }
    func read(
      _ property: KeyValueProperty, at index: Int, in object: any KeyValueObservable
    ) -> KeyValueDiagnostic? {
      let value = property.value(of: object)
      if property.kind == .computed { noteRead(property.name, of: object, isComputed: true) }
      return value.flatMap { read(behind: $0, of: index) }
    }
    // As a key path of an observation runs through collections (P29): the property that holds them is read already.
    func read(behind value: Any, of index: Int) -> KeyValueDiagnostic? {
      guard index < keys.count - 1 else { return nil }
      if let next = observableObject(value) { return read(from: index + 1, in: next) }
      let operation = CollectionOperator(rawValue: keys[index + 1])
      if let operation, Members.count(of: value) != nil {
        return operation == .count ? nil : read(behind: value, of: index + 1)
      }
      if let members = Members(value) {
        let mistakes = members.values.map { $0.flatMap { read(behind: $0, of: index) } }
        return mistakes.lazy.compactMap(\.self).first
      }
      if let entries = stringKeyed(value) {
        return entries.value(forKey: keys[index + 1]).flatMap { read(behind: $0, of: index + 1) }
      }
      return .dependencyOfValue(
        keyPath.text, of: type(of: subject), key: observedKey.name.key,
        at: keys[...index].joined(separator: "."), value: type(of: value))
    }
    // The keys are read all the same if the text is malformed.
    let mistake = keys.isEmpty ? unknown(keyPath.text, in: subject) : read(from: 0, in: subject)
    if let malformation = keyPath.malformation {
      derived?.report(
        .unknownDependency(
          keyPath.text, of: type(of: subject), key: observedKey.name.key,
          because: malformation.message.within("'\(keyPath.text)'")))
    } else if let mistake {
      derived?.report(mistake)
    }
  }
}
