/// Reads values along key paths, object by object.
enum KeyPathReader {
  /// Reads a path for the sake of what is read on the way: a declared dependency (P21).
  static func read(
    _ keyPath: String, from subject: some KeyValueObservable, for observedKey: ObservedKey,
    recorder: UnsafeMutablePointer<ReadRecorder>
  ) {
    let keys = keys(ofDeclared: keyPath)
    func unknown(_ key: String, in object: any KeyValueObservable) -> KeyValueDiagnostic {
      .unknownDependency(
        keyPath, of: type(of: subject), key: observedKey.name.key,
        error: object.undefinedKey(key))
    }
    // Each returns what is wrong with the rest of the key path, if something is.
    func read(from index: Int, in object: any KeyValueObservable) -> KeyValueDiagnostic? {
      guard let property = object.keyValueProperty(forKey: keys[index]) else {
        return readAnnounced(keys[index], isLast: index == keys.count - 1, in: object)
      }
      var mistake = read(property, at: index, in: object)
      // The class that declares the path may have meant one that only it sees.
      for hidden in PropertyTable.of(type(of: object)).hiddenProperties(forKey: keys[index])
      where read(hidden, at: index, in: object) == nil {
        mistake = nil
      }
      return mistake
    }
    // A key that is no property changes where it is announced manually. Nothing lies behind it, and one
    // that resembles a property is taken for a misspelled one.
    func readAnnounced(
      _ key: String, isLast: Bool, in object: any KeyValueObservable
    ) -> KeyValueDiagnostic? {
      guard isLast else { return unknown(key, in: object) }
      key.withKeyName { name in _ = recorder.note(name, of: object) }
      let error = object.undefinedKey(key)
      if case .undefinedKey(_, _, suggestion: nil) = error { return nil }
      return unknown(key, in: object)
    }
    func read(
      _ property: KeyValueProperty, at index: Int, in object: any KeyValueObservable
    ) -> KeyValueDiagnostic? {
      let value = property.value(of: object)
      if property.kind == .computed { follow(property, of: object, recorder) }
      guard let value, index < keys.count - 1 else { return nil }
      if let next = observableObject(value) { return read(from: index + 1, in: next) }
      return .dependencyOfValue(
        keyPath, of: type(of: subject), key: observedKey.name.key,
        at: keys[...index].joined(separator: "."), value: type(of: value))
    }
    let mistake = keys.isEmpty ? unknown(keyPath, in: subject) : read(from: 0, in: subject)
    if let mistake { recorder.report(mistake) }
  }

  /// Follows the declared dependencies of a computed property, if reads are recorded on this
  /// thread.
  ///
  /// A stored property records its own reads.
  static func followDependencies(of key: String, of object: some KeyValueObservable) {
    guard KeyValueRegistrar.isTracking, let recorder = ReadRecorder.current,
      let property = object.keyValueProperty(forKey: key), property.kind == .computed
    else { return }
    follow(property, of: object, recorder)
  }

  /// Records a read of a computed property, whose getter does not record itself.
  ///
  /// Manual notifications for it are inputs too (P19), and so are its declared dependencies.
  private static func follow(
    _ property: KeyValueProperty, of object: some KeyValueObservable,
    _ recorder: UnsafeMutablePointer<ReadRecorder>
  ) {
    if let context = object.keyValueRegistrar.unmanagedContext,
      recorder.recordAgain(property.name, of: context)
    {
      return
    }
    let outer = recorder.pointee.component
    defer { recorder.pointee.component = outer }
    // Attaches as a dependent: the key's own observers are notified first (P10). A dependent is not
    // notified through this key when one of the key's inputs changes, because it observes those
    // inputs itself.
    recorder.pointee.component = KeyPathComponent(
      property: property, owner: ObjectIdentifier(object), isLast: outer?.isLast ?? true)
    recorder.note(property.name, of: object)
  }

  /// Reads a property on a typed path, and follows what it depends on by declaration.
  ///
  /// - `valueType`: The type of the path's value, if the property is the last.
  static func read<Value>(
    _ property: KeyValueProperty, of object: some KeyValueObservable, endingIn valueType: Any.Type?,
    _ body: (KeyValueProperty, AnyObject) -> Value
  ) -> Value {
    guard let recorder = ReadRecorder.current else { return body(property, object) }
    // A subclass may compute what its superclass lists as stored.
    let own = object.keyValueProperty(named: property.name) ?? property
    recorder.pointee.component = KeyPathComponent(
      property: own, owner: ObjectIdentifier(object), isLast: valueType != nil,
      leaf: valueType.flatMap { LeafValue(of: own, in: $0) })
    let value = body(property, object)
    if own.kind == .computed { follow(own, of: object, recorder) }
    recorder.pointee.component = nil
    return value
  }

  /// The value at the end of a path, nil where a link is nil or cannot be observed.
  ///
  /// An object that has come after the path was checked may lack a key, or keep it private.
  ///
  /// Behind the first collection the path is evaluated as key-value coding does it. There is no last
  /// object then: the collection and what its members have is the value (P29).
  static func value(along path: ParsedKeyPath, from subject: any KeyValueObservable) -> Any? {
    var object = subject
    for index in path.components.indices {
      let key: String
      let property: KeyValueProperty
      do throws(KeyValueCodingError) {
        key = try path.key(at: index, of: type(of: object))
        property = try object.readableProperty(forKey: key)
      } catch {
        ReadRecorder.current?.report(
          .brokenKeyPath(path.text, of: type(of: subject), error: error))
        return nil
      }
      let isLast = index == path.components.count - 1
      let isAtEnd = isLast || path.leavesObjects(behind: index, property, of: object)
      if let recorder = ReadRecorder.current {
        recorder.pointee.component = KeyPathComponent(
          property: property, owner: ObjectIdentifier(object), isLast: isAtEnd,
          leaf: isLast ? .erased(property) : nil)
      }
      let value = property.value(of: object)
      if let recorder = ReadRecorder.current, property.kind == .computed {
        follow(property, of: object, recorder)
      }
      if isLast { return value }
      guard let value else { return nil }
      guard let next = observableObject(value) else {
        return self.value(
          along: path, from: index + 1, of: value, in: object, at: key, subject: type(of: subject))
      }
      object = next
    }
    return nil
  }

  fileprivate static func isCollection(_ value: Any) -> Bool {
    value is any MemberCollection || value is any KeyedCollection
  }

  private static func value(
    along path: ParsedKeyPath, from index: Int, of value: Any, in object: AnyObject,
    at key: String, subject: Any.Type
  ) -> Any? {
    let recorder = ReadRecorder.current
    recorder?.pointee.component = nil
    do throws(KeyValueCodingError) {
      if isCollection(value) { return try path.value(from: index, of: value) }
      _ = try path.key(at: index, of: type(of: value))
      recorder?.report(
        .valueWithoutKeys(
          type: type(of: object), key: key, value: type(of: value), keyPath: path.text))
      return nil
    } catch {
      recorder?.report(.brokenKeyPath(path.text, of: subject, error: error))
      return nil
    }
  }
}

/// The keys of a declared key path, in which `self` stands for the object itself.
func keys(ofDeclared keyPath: String) -> [String] {
  keyPath.split(separator: ".").map(String.init).filter { $0 != "self" }
}

extension ParsedKeyPath {
  /// The key that is asked of a value that is no collection.
  ///
  /// Such a value has no operators.
  fileprivate func key(at index: Int, of type: Any.Type) throws(KeyValueCodingError) -> String {
    switch components[index] {
    case .key(let key): return key
    case .collectionOperator(let found):
      throw .notACollection(type, at: link(before: index), found, in: text)
    }
  }

  /// Whether the value of a key on the path is a collection rather than an object that it leads to.
  fileprivate func leavesObjects(
    behind index: Int, _ property: KeyValueProperty, of object: AnyObject
  ) -> Bool {
    if case .collectionOperator = components[index + 1] { return true }
    let type = unwrappedType(property.declaredType)
    if type is any MemberCollection.Type || type is any KeyedCollection.Type { return true }
    // Which part the key plays has to be known before it is read for the path.
    return isExistential(type)
      && ThreadState.pauseRecording { property.value(of: object) }.map(KeyPathReader.isCollection)
        ?? false
  }
}
