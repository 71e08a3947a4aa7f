extension ParsedKeyPath {
  /// Rejects a path that cannot be observed (P6).
  ///
  /// Existing intermediate objects are checked themselves; absent ones, and members of collections,
  /// by their declared type. The contents of a collection are evaluated as well. If an absent
  /// object's class is not observable, a diagnostic reports it, because only a subclass could be.
  func check(from subject: any KeyValueObservable) throws(KeyValueCodingError) {
    var object = subject
    for index in components.indices {
      guard case .key(let key) = components[index] else {
        // Only a collection has operators, and this is an object.
        _ = try value(from: index, of: object)
        return
      }
      let property = try object.readableProperty(forKey: key)
      if index == components.count - 1 { return }
      guard let found = property.value(of: object) else {
        if let found = try check(from: index + 1, of: property.declaredType) {
          reportUnobservable(found, from: type(of: subject))
        }
        return
      }
      guard let next = observableObject(found) else {
        _ = try check(from: index + 1, of: type(of: found))
        _ = try value(from: index + 1, of: found)
        return
      }
      object = next
    }
  }

  /// Refuses a path that cannot be observed from any object of a class, where there is no object yet.
  func check(against type: any KeyValueObservable.Type) throws(KeyValueCodingError) {
    if components.isEmpty { throw .noProperty(in: text) }
    if let found = try check(from: 0, of: type) { reportUnobservable(found, from: type) }
  }

  private func reportUnobservable(_ found: (key: String, type: Any.Type), from root: Any.Type) {
    KeyValueDiagnostics.report(
      .unobservableClass(keyPath: text, subject: root, key: found.key, class: found.type)
        .caused(by: [nil]))
  }

  /// Checks the components from `first` on against what is declared.
  ///
  /// Returns the class of a link that is not observable, with the key that leads to it.
  private func check(
    from first: Int, of declaredType: Any.Type
  ) throws(KeyValueCodingError) -> (key: String, type: Any.Type)? {
    var type = unwrappedType(declaredType)
    // How many collections the path has run through, in each of which its value has values of the type.
    var levels = 0
    for index in first..<components.count {
      switch components[index] {
      case .collectionOperator(let found):
        if levels > 0 {
          levels -= 1
        } else if let collection = type as? any MemberCollection.Type {
          type = unwrappedType(collection.memberType)
        } else if mayHold(.collection, type) {
          return nil
        } else {
          throw .notACollection(type, at: source(before: index), found, in: text)
        }
        // The rest of the path has no effect.
        if found == .count { return nil }
      case .key(let key):
        while let collection = type as? any MemberCollection.Type {
          type = unwrappedType(collection.memberType)
          levels += 1
        }
        guard let observable = type as? any KeyValueObservable.Type else {
          if mayHold(.keys, type) {
            let isUnobservable = type is AnyClass && observableType(type) == nil
            return isUnobservable ? (link(before: index), type) : nil
          }
          throw .notObservable(keyPath: text, key: link(before: index), type: type)
        }
        if observable.hasDynamicKeys { return nil }
        let table = PropertyTable.of(observable)
        type = unwrappedType(try table.accessibleProperty(forKey: key).valueType)
      }
    }
    return nil
  }

  private enum Content {
    case keys, collection
  }

  /// Whether a value of the type can have keys or members: a class may have an observable subclass,
  /// an existential may hold anything, and what a dictionary holds is not declared for each key.
  private func mayHold(_ content: Content, _ type: Any.Type) -> Bool {
    if isExistential(type) { return true }
    if let type = type as? any KeyedCollection.Type {
      return content == .collection || type.hasStringKeys
    }
    return content == .keys && type is AnyClass
  }
}
