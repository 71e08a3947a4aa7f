/// The property for which a proxy was asked by key.
struct ProxyTarget {
  let property: KeyValueProperty
  let owner: any KeyValueObservable

  /// Finds the property of a key, unless it cannot hold what the proxy is for.
  ///
  /// - `kind`: What a property of type `Any?` has to hold, if it is not nil.
  init(
    _ key: String, of owner: some KeyValueObservable, holding kind: Any.Type
  ) throws(KeyValueCodingError) {
    property = try owner.readableProperty(forKey: key)
    self.owner = owner
    if property.isReadOnly { throw .readOnly(type: type(of: owner), key: key) }
    if let content = misfit(for: kind) { throw mismatch(of: type(of: content), with: kind) }
  }

  var holdsAnything: Bool {
    property.valueType == Any?.self && unwrappedType(property.declaredType) == Any.self
  }

  /// The type of the property, without the optional layer that it may have.
  var collectionType: Any.Type {
    (property.declaredType as? any OptionalValue.Type)?.wrappedType ?? property.declaredType
  }

  func access<Whole, Held>(in holding: CollectionHolding<Whole, Held>) -> CollectionAccess<Held> {
    CollectionAccess(to: property, of: owner, in: holding)
  }

  /// The collection of a property that is one, or an optional one, or an entry with such a type.
  func access<Held>(empty: Held) -> CollectionAccess<Held> {
    if property.valueType == Held.self { return access(in: .itself) }
    return property.valueType == Any?.self
      ? access(in: .anything(empty: empty)) : access(in: .optional(empty: empty))
  }

  /// Says that the property is not what a proxy is for.
  func mismatch(with kind: Any.Type) -> KeyValueCodingError {
    mismatch(of: property.declaredType, with: kind)
  }

  private func mismatch(of found: Any.Type, with kind: Any.Type) -> KeyValueCodingError {
    .typeMismatch(
      type: type(of: owner), key: property.key, expected: found, actual: kind,
      value: KeyValueCodingError.contentsOfProxy)
  }

  /// The members as ones that the property holds, unless one of them cannot be one without loss.
  ///
  /// - `kind`: What a property of type `Any?` has to hold, if it is not nil.
  func converted<Member>(
    _ members: some Sequence<Any?>, in kind: Any.Type
  ) throws(ProxyRefusal) -> [Member] {
    try checkContent(is: kind)
    var converted: [Member] = []
    converted.reserveCapacity(members.underestimatedCount)
    for member in members {
      guard let same = losslessly(property.adopted(member), as: Member.self) else {
        throw ProxyRefusal(
          .incompatibleElement(
            type: type(of: owner), key: property.key, element: member, expected: Member.self))
      }
      converted.append(same)
    }
    return converted
  }

  func checkContent(is kind: Any.Type) throws(ProxyRefusal) {
    guard let content = misfit(for: kind) else { return }
    throw ProxyRefusal(
      .proxyWithoutCollection(type: type(of: owner), key: property.key, content: type(of: content)))
  }

  /// What a property of type `Any?` holds instead of nil or a collection of a kind.
  private func misfit(for kind: Any.Type) -> Any? {
    guard holdsAnything, let content = property.value(of: owner) else {
      return nil
    }
    func isA<Collection>(_: Collection.Type) -> Bool { content is Collection }
    return isA(kind) ? nil : content
  }
}

/// Why an edit of a proxy changes nothing.
struct ProxyRefusal: Error {
  let diagnostic: KeyValueDiagnostic

  init(_ diagnostic: KeyValueDiagnostic) {
    self.diagnostic = diagnostic
  }
}
