/// Bindings of several properties of one object, which may be replaced by another.
///
/// A form, for example, binds its fields to properties of a person, and shows another person when ``source`` is
/// set. Without a source the bindings write nothing (P68).
///
///     let form = KeyValueBindingGroup<Person>()
///     form.bind(\.name, to: field, \.text)
///     form.source = person
///
/// The group keeps its bindings. Each ends when the source is replaced, when one of its objects is
/// deallocated, and with the group.
public final class KeyValueBindingGroup<Source: KeyValueObservable> {
  private weak var storedSource: Source?
  private var makers: [(Source) -> KeyValueBinding?] = []
  private var bindings: [KeyValueBinding] = []
  /// Counts how often the source was set, so that one notices that code of its objects has set another one meanwhile.
  private var sourceCount = 0

  /// Creates a group without bindings and without a source.
  public init() {}

  /// The object whose properties are bound, which is held weakly.
  ///
  /// Setting it writes all of its properties to the other sides, in one transaction: before the
  /// setter returns, or at the end of a transaction that is open. If that is rolled back, the
  /// source stays, and its properties are written after the rollback. Setting nil ends the
  /// bindings, and leaves the other sides as they are.
  ///
  /// - Complexity: That of making the bindings.
  public var source: Source? {
    get { storedSource }
    set {
      storedSource = newValue
      sourceCount += 1
      let count = sourceCount
      for binding in exchange(&bindings, with: []) { binding.invalidate() }
      // An object that is no longer observed may have set another source.
      guard let newValue, sourceCount == count else { return }
      // Before the bindings themselves write after a rollback, each by itself.
      Transaction.current?.whenDelivered { [weak self] in self?.copyFirstIfAwaited() }
      withKeyValueTransaction {
        keep(makers.compactMap { $0(newValue) }, of: count)
      }
    }
  }

  /// Adds a binding of a property of the source.
  ///
  /// The other property takes the value of the source's property: at once if there is a source, and
  /// whenever another one is set. From then on each takes the values that the other is set to. The
  /// group keeps the binding.
  ///
  /// - Parameters:
  ///   - keyPath: The property of the source.
  ///   - other: The other object. It is not retained.
  ///   - otherKeyPath: Its property.
  ///
  /// - Complexity: That of a binding, if there is a source.
  public func bind<Value, Other: KeyValueObservable>(
    _ keyPath: ReferenceWritableKeyPath<Source, Value>, to other: Other,
    _ otherKeyPath: ReferenceWritableKeyPath<Other, Value>
  ) {
    add { [weak other] source in other.map { source.bind(keyPath, to: $0, otherKeyPath) } }
  }

  /// Adds a binding of a property of the source to one of another type.
  ///
  /// The other property takes the converted value of the source's property: at once if there is a
  /// source, and whenever another one is set. From then on each takes the values that the other is
  /// set to. The group keeps the binding.
  ///
  /// - Parameters:
  ///   - keyPath: The property of the source.
  ///   - other: The other object. It is not retained.
  ///   - otherKeyPath: Its property.
  ///   - converter: Converts the values.
  ///
  /// - Complexity: That of a binding, if there is a source.
  public func bind<Value, Other: KeyValueObservable, OtherValue>(
    _ keyPath: ReferenceWritableKeyPath<Source, Value>, to other: Other,
    _ otherKeyPath: ReferenceWritableKeyPath<Other, OtherValue>,
    converting converter: KeyValueConverter<Value, OtherValue>
  ) {
    add { [weak other] source in
      other.map { source.bind(keyPath, to: $0, otherKeyPath, converting: converter) }
    }
  }

  /// Adds a binding that writes a property of the source to one of another object.
  ///
  /// The other property takes the value of the source's property: at once if there is a source,
  /// whenever another one is set, and after each change. It is not written back. The group keeps
  /// the binding.
  ///
  /// - Parameters:
  ///   - keyPath: The property of the source, which may be read-only or computed.
  ///   - other: The other object. It is not retained.
  ///   - otherKeyPath: Its property.
  ///   - direction: That the property of the source is not written.
  ///
  /// - Complexity: That of a binding, if there is a source.
  public func bind<Value, Other: KeyValueObservable>(
    _ keyPath: KeyPath<Source, Value>, to other: Other,
    _ otherKeyPath: ReferenceWritableKeyPath<Other, Value>, _ direction: KeyValueBindingDirection
  ) {
    bind(keyPath, to: other, otherKeyPath, direction, converting: { $0 })
  }

  /// Adds a binding that writes a property of the source, converted, to one of another object.
  ///
  /// The other property takes the converted value of the source's property: at once if there is a source, whenever
  /// another one is set, and after each change. It is not written back. The group keeps the binding.
  ///
  /// - Parameters:
  ///   - keyPath: The property of the source, which may be read-only or computed.
  ///   - other: The other object. It is not retained.
  ///   - otherKeyPath: Its property.
  ///   - direction: That the property of the source is not written.
  ///   - convert: Converts a value. If it returns nil, the other property keeps its value (P66).
  ///
  /// - Complexity: That of a binding, if there is a source.
  public func bind<Value, Other: KeyValueObservable, OtherValue>(
    _ keyPath: KeyPath<Source, Value>, to other: Other,
    _ otherKeyPath: ReferenceWritableKeyPath<Other, OtherValue>,
    _ direction: KeyValueBindingDirection, converting convert: @escaping (Value) -> OtherValue?
  ) {
    add { [weak other] source in
      other.map { source.bind(keyPath, to: $0, otherKeyPath, direction, converting: convert) }
    }
  }

  /// Writes the properties of a source that was set in a transaction that has been rolled back.
  private func copyFirstIfAwaited() {
    withKeyValueTransaction { for binding in bindings { binding.sides.copyFirstIfAwaited() } }
  }

  private func add(_ make: @escaping (Source) -> KeyValueBinding?) {
    makers.append(make)
    guard let source else { return }
    let count = sourceCount
    withKeyValueTransaction { keep(make(source).map { [$0] } ?? [], of: count) }
  }

  /// Keeps bindings that were made, unless an object that is observed now has set another source meanwhile.
  ///
  /// - `count`: How often the source had been set.
  private func keep(_ made: [KeyValueBinding], of count: Int) {
    if sourceCount == count { return bindings += made }
    for binding in made { binding.invalidate() }
  }
}

@available(*, unavailable) extension KeyValueBindingGroup: Sendable {}
