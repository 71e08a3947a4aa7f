extension KeyValueObservable {
  // MARK: Typed key paths

  /// Keeps two properties equal.
  ///
  ///     binding = person.bind(\.name, to: field, \.text)
  ///
  /// The property of the other object takes the value of this one before the function returns, or
  /// in a transaction at its end; if that is rolled back, it takes the value that was put back.
  /// From then on a set of either sets the other by its setter, on the thread that makes the
  /// change; observers of both are notified when both are equal, in one transaction (P63, P64).
  /// Values are compared, if they are `Equatable` or objects, so that none is set to what it is.
  ///
  /// The binding lasts until the returned token is invalidated or deinitialized, or one of the
  /// objects is deallocated.
  ///
  /// - Parameters:
  ///   - keyPath: The property of this object, or of one that it leads to.
  ///   - other: The other object. Neither is retained (P67).
  ///   - otherKeyPath: Its property.
  /// - Returns: The token of the binding.
  ///
  /// - Complexity: That of two observations. A set takes as long as both sets and their observers.
  public func bind<Value, Other: KeyValueObservable>(
    _ keyPath: ReferenceWritableKeyPath<Self, Value>, to other: Other,
    _ otherKeyPath: ReferenceWritableKeyPath<Other, Value>
  ) -> KeyValueBinding {
    makeBinding(
      side(keyPath, writing: keyPath), other.side(otherKeyPath, writing: otherKeyPath),
      to: other, convert: .identity, back: .identity
    ) { binding, first, second in
      observe(keyPath, as: first, of: binding)
      other.observe(otherKeyPath, as: second, of: binding)
    }
  }

  /// Keeps two properties of different types equal.
  ///
  /// It works as ``bind(_:to:_:)-(ReferenceWritableKeyPath<Self,Value>,_,_)`` does, with converted
  /// values. The binding lasts until the returned token is invalidated or deinitialized, or one of
  /// the objects is deallocated.
  ///
  /// - Parameters:
  ///   - keyPath: The property of this object, or of one that it leads to.
  ///   - other: The other object.
  ///   - otherKeyPath: Its property.
  ///   - converter: Converts the values. If it returns nil, the other side keeps its value (P66).
  /// - Returns: The token of the binding.
  ///
  /// - Complexity: That of two observations. A set takes as long as both sets and their observers.
  public func bind<Value, Other: KeyValueObservable, OtherValue>(
    _ keyPath: ReferenceWritableKeyPath<Self, Value>, to other: Other,
    _ otherKeyPath: ReferenceWritableKeyPath<Other, OtherValue>,
    converting converter: KeyValueConverter<Value, OtherValue>
  ) -> KeyValueBinding {
    makeBinding(
      side(keyPath, writing: keyPath), other.side(otherKeyPath, writing: otherKeyPath),
      to: other, convert: .converting { value, _ in converter.to(value) },
      back: .converting { value, _ in converter.from(value) }
    ) { binding, first, second in
      observe(keyPath, as: first, of: binding)
      other.observe(otherKeyPath, as: second, of: binding)
    }
  }

  /// Writes a property, which may be read-only or computed, to one of another object.
  ///
  /// The other property is written before the function returns, or in a transaction at its end, and
  /// after each change on the thread that makes it. The binding lasts until the returned token is
  /// invalidated or deinitialized, or one of the objects is deallocated.
  ///
  /// - Parameters:
  ///   - keyPath: The property of this object, or of one that it leads to.
  ///   - other: The other object. Neither is retained (P67).
  ///   - otherKeyPath: Its property, which takes the value at first and after each change.
  ///   - direction: That the other property is not written back.
  /// - Returns: The token of the binding.
  ///
  /// - Complexity: That of two observations. A change takes as long as the set and its observers.
  public func bind<Value, Other: KeyValueObservable>(
    _ keyPath: KeyPath<Self, Value>, to other: Other,
    _ otherKeyPath: ReferenceWritableKeyPath<Other, Value>, _ direction: KeyValueBindingDirection
  ) -> KeyValueBinding {
    bind(keyPath, to: other, otherKeyPath, direction, converting: { $0 })
  }

  /// Writes a property, converted, to one of another object.
  ///
  /// The other property is written before the function returns, or in a transaction at its end, and
  /// after each change on the thread that makes it. The binding lasts until the returned token is
  /// invalidated or deinitialized, or one of the objects is deallocated.
  ///
  /// - Parameters:
  ///   - keyPath: The property of this object, or of one that it leads to.
  ///   - other: The other object. Neither is retained (P67).
  ///   - otherKeyPath: Its property, which takes the value at first and after each change.
  ///   - direction: That the other property is not written back.
  ///   - convert: Converts a value. If it returns nil, the other property keeps its value (P66).
  /// - Returns: The token of the binding.
  ///
  /// - Complexity: That of two observations. A change takes as long as the set and its observers.
  public func bind<Value, Other: KeyValueObservable, OtherValue>(
    _ keyPath: KeyPath<Self, Value>, to other: Other,
    _ otherKeyPath: ReferenceWritableKeyPath<Other, OtherValue>,
    _ direction: KeyValueBindingDirection, converting convert: @escaping (Value) -> OtherValue?
  ) -> KeyValueBinding {
    makeBinding(
      side(keyPath, writing: nil), other.side(otherKeyPath, writing: otherKeyPath), to: other,
      convert: .converting { value, _ in convert(value) }, back: nil
    ) { binding, first, second in
      observe(keyPath, as: first, of: binding)
      other.observe(otherKeyPath, as: second, of: binding)
    }
  }

  /// Keeps two values equal, of which one is reached through optional objects.
  ///
  /// Such a key path cannot be set in Swift, so the value is set by its key. While an object on the
  /// way is nil, nothing is written; when one is set, its value goes to the other side (P67).
  /// Otherwise it works as ``bind(_:to:_:)-(ReferenceWritableKeyPath<Self,Value>,_,_)`` does. The
  /// binding lasts until the returned token is invalidated or deinitialized, or one of the objects
  /// is deallocated.
  ///
  /// - Parameters:
  ///   - keyPath: The key path from this object, such as `\.selection?.name`.
  ///   - other: The other object. Neither is retained.
  ///   - otherKeyPath: Its property, or a key path as well.
  /// - Returns: The token of the binding.
  /// - Throws: ``KeyValueCodingError/readOnly(type:key:)`` if a side has no setter in the key table: a
  ///   property that is only read is bound with `.oneWay`. Also
  ///   ``KeyValueCodingError/invalidKeyPath(_:reason:)`` if a key path is not made of keys.
  ///
  /// - Complexity: That of two observations. A set takes as long as both sets and their observers.
  public func bind<Value, Other: KeyValueObservable>(
    _ keyPath: KeyPath<Self, Value>, to other: Other, _ otherKeyPath: KeyPath<Other, Value>
  ) throws(KeyValueCodingError) -> KeyValueBinding {
    try bind(Self.keys(of: keyPath), to: other, Other.keys(of: otherKeyPath))
  }

  /// Keeps a value that is reached through optional objects equal to one that is not optional.
  ///
  /// It works as ``bind(_:to:_:)-(KeyPath<Self,Value>,_,_)`` does. The binding lasts until the
  /// returned token is invalidated or deinitialized, or one of the objects is deallocated.
  ///
  /// - Parameters:
  ///   - keyPath: The key path from this object, such as `\.selection?.name`.
  ///   - other: The other object. Neither is retained.
  ///   - otherKeyPath: Its property, or a key path as well.
  /// - Returns: The token of the binding.
  /// - Throws: The errors of that function.
  ///
  /// - Complexity: That of two observations. A set takes as long as both sets and their observers.
  public func bind<Value, Other: KeyValueObservable>(
    _ keyPath: KeyPath<Self, Value?>, to other: Other, _ otherKeyPath: KeyPath<Other, Value>
  ) throws(KeyValueCodingError) -> KeyValueBinding {
    try bind(Self.keys(of: keyPath), to: other, Other.keys(of: otherKeyPath))
  }

  // MARK: Keys as strings

  /// Keeps two values equal that are named by strings.
  ///
  /// Values are converted as key-value coding converts them (P42). One that cannot be, or that a setter
  /// refuses with an error, is reported once, and the other side keeps its value. Otherwise it works as
  /// ``bind(_:to:_:)-(ReferenceWritableKeyPath<Self,Value>,_,_)`` does. The binding lasts until the
  /// returned token is invalidated or deinitialized, or one of the objects is deallocated.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - other: The other object. Neither is retained.
  ///   - otherKeyPath: Its keys.
  /// - Returns: The token of the binding.
  /// - Throws: The errors of `observe(_:options:changeHandler:)` with a string;
  ///   ``KeyValueCodingError/readOnly(type:key:)`` for a side that cannot be set, such as one behind a collection; and
  ///   ``KeyValueCodingError/typeMismatch(type:key:expected:actual:value:)`` where the types of the present properties
  ///   have no values that convert.
  ///
  /// - Complexity: That of two observations. A set takes as long as both sets and their observers.
  public func bind<Other: KeyValueObservable>(
    _ keyPath: String, to other: Other, _ otherKeyPath: String
  ) throws(KeyValueCodingError) -> KeyValueBinding {
    let (path, otherPath) = (
      try StringPath(keyPath, from: self), try StringPath(otherKeyPath, from: other)
    )
    try checkIsWritable(path)
    try other.checkIsWritable(otherPath)
    try checkFit(of: path, to: otherPath, of: other)
    return makeBinding(
      side(path), other.side(otherPath), to: other,
      convert: .converting { Other.convertible($0, at: otherPath, of: $1) },
      back: .converting { Self.convertible($0, at: path, of: $1) }
    ) { binding, first, second in
      observe(path, as: first, of: binding)
      other.observe(otherPath, as: second, of: binding)
    }
  }

  // MARK: Making sides

  private func makeBinding(
    _ first: BindingSide, _ second: BindingSide, to other: some KeyValueObservable,
    convert: BindingConversion, back: BindingConversion?,
    observing observe: (BoundSides, BindingSide, BindingSide) -> Void
  ) -> KeyValueBinding {
    let sides = BoundSides(first, second, convert: convert, back: back)
    let binding = KeyValueBinding(sides)
    if self === other, first.text == second.text {
      KeyValueDiagnostics.report(.bindingToItself(type: type(of: self), key: first.text))
      binding.invalidate()
      return binding
    }
    observe(sides, first, second)
    sides.copyFirst()
    return binding
  }

  private func side<Value>(
    _ keyPath: KeyPath<Self, Value>, writing writable: ReferenceWritableKeyPath<Self, Value>?
  ) -> BindingSide {
    let property = observedProperty(KnownKeyPath.of(keyPath, from: Self.self))
    let text =
      property?.key
      ?? KeyPathDecomposer.properties(of: keyPath, from: type(of: self))?
      .map(\.key).joined(separator: ".") ?? String(describing: keyPath)
    var write: ((AnyObject, Value) throws(KeyValueCodingError) -> Void)?
    if let writable {
      write = { (object, value) throws(KeyValueCodingError) in
        let object = unsafeDowncast(object, to: Self.self)
        if property == nil, let key = object.keyOfNil(on: writable) {
          throw .nilLink(keyPath: text, key: key)
        }
        object[keyPath: writable] = value
      }
    }
    // The accessor of a property takes a tenth of the time that its key path takes.
    guard let property, property.valueType == Value.self else {
      let read = { (object: AnyObject, body: BoundValue.Body) in
        // Observing the path has found it.
        guard let plan = KnownKeyPath.of(keyPath, from: Self.self).plan?.takeUnretainedValue()
        else {
          return withUnsafePointer(to: unsafeDowncast(object, to: Self.self)[keyPath: keyPath]) {
            body(UnsafeRawPointer($0))
          }
        }
        if plan.keyOfNil(from: object) != nil { return body(nil) }
        // Not evaluated: another thread may have set an object that the path unwraps to nil.
        withAddress(in: plan.value(from: object), body)
      }
      return BindingSide(
        self, text, BoundValue(read: read, write: write, isSame: sameness(of: Value.self)))
    }
    return BindingSide(
      self, text,
      BoundValue(
        read: { property.accessor.operations.withValue(of: $0, $1) }, write: write,
        isSame: sameness(of: Value.self)))
  }

  private func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, as side: BindingSide, of binding: BoundSides
  ) {
    let known = KnownKeyPath.of(keyPath, from: Self.self)
    if let property = observedProperty(known) {
      return observe(property, as: side, of: binding)
    }
    attach(
      along: .typed(keyPath, from: Self.self, plan: known.plan), as: side, of: binding,
      calling: AnyHandler {
        [unowned side, unowned binding] (_: Self, change: KeyValueChange<Value>) in
        binding.receive(isPrior: change.isPrior) { side }
      },
      KeyPathObservation.Operations(of: KeyPath<Self, Value>.self))
  }

  private func observe(
    _ property: KeyValueProperty, as side: BindingSide, of binding: BoundSides
  ) {
    let registration = BindingRegistration(side, of: binding)
    side.observe(attach(registration, to: property), by: registration)
  }

  private func attach(
    along path: KeyPathOrigin, as side: BindingSide, of binding: BoundSides,
    calling handler: AnyHandler, _ operations: consuming KeyPathObservation.Operations
  ) {
    let observation = KeyPathObservation(
      of: self, along: path, calling: handler, options: .prior, operations: operations,
      completion: nil)
    observation.isOfBinding = true
    side.observe(attach(observation), along: observation)
  }

  /// The keys of a typed key path, as a string.
  private static func keys(of keyPath: AnyKeyPath) throws(KeyValueCodingError) -> String {
    guard let properties = KeyPathDecomposer.properties(of: keyPath, from: self) else {
      throw .notMadeOfKeys(keyPath)
    }
    return properties.map(\.key).joined(separator: ".")
  }

  private func side(_ path: StringPath) -> BindingSide {
    let text = if case .property(let property) = path.parts { property.key } else { path.text }
    return BindingSide(
      self, text,
      BoundValue(
        read: { object, body in
          guard let object = observableObject(object), object.lastProperty(of: path) != nil
          else {
            return body(nil)
          }
          do {
            let value = ErasedValue(try object.value(forKeyPath: path.text))
            withUnsafePointer(to: value) { body(UnsafeRawPointer($0)) }
          } catch {
            // A value that cannot be read is not written to the other side.
            body(nil)
          }
        },
        write: { (object: AnyObject, value: ErasedValue) throws(KeyValueCodingError) in
          try observableObject(object)?.setValue(value.value, forKeyPath: path.text)
        },
        isSame: sameness(of: Any?.self).map { isSame in
          Comparison { isSame($0.value, $1.value) }
        }))
  }

  private func observe(_ path: StringPath, as side: BindingSide, of binding: BoundSides) {
    switch path.parts {
    case .property(let property): observe(property, as: side, of: binding)
    case .plan(let plan):
      attach(
        along: .string(plan), as: side, of: binding,
        calling: AnyHandler {
          [unowned side, unowned binding] (_: AnyObject, change: KeyValueChange<Any?>) in
          binding.receive(isPrior: change.isPrior) { side }
        },
        .ofString)
    }
  }

  private func checkIsWritable(_ path: StringPath) throws(KeyValueCodingError) {
    if let (last, owner) = lastProperty(of: path) {
      if last.isReadOnly { throw .readOnly(type: type(of: owner), key: last.key) }
      return
    }
    guard case .plan(let plan) = path.parts else { return }
    try plan.string?.checkCanBeSet()
    // The members of a collection are set to one value, and have several.
    if !plan.leads(from: self) { throw .readOnly(type: type(of: self), key: path.text) }
  }

  /// Sees that the values of two properties, as far as both are known, are of types that convert to each other.
  private func checkFit(
    of path: StringPath, to otherPath: StringPath, of other: some KeyValueObservable
  ) throws(KeyValueCodingError) {
    guard let (property, object) = lastProperty(of: path),
      let (otherProperty, otherOwner) = other.lastProperty(of: otherPath),
      !mayConvert(property.declaredType, to: otherProperty.declaredType)
    else { return }
    throw .typeMismatch(
      type: type(of: otherOwner), key: otherProperty.key, expected: otherProperty.declaredType,
      actual: property.declaredType,
      value: property.value(of: object).map { String(describing: $0) } ?? "nil")
  }

  /// A value, if a key takes it or what key-value coding makes of it.
  private static func convertible(
    _ value: ErasedValue, at path: StringPath, of object: AnyObject
  ) -> ErasedValue? {
    guard let (property, owner) = unsafeDowncast(object, to: Self.self).lastProperty(of: path)
    else { return value }
    do {
      return ErasedValue(try property.converted(value.value, of: owner))
    } catch .nilForNonOptional {
      // The class that is set says what nil means (P42).
      return value
    } catch {
      return nil
    }
  }

  /// The last property and the object that has it; nil where an object on the way is nil.
  fileprivate func lastProperty(of path: StringPath) -> (KeyValueProperty, AnyObject)? {
    switch path.parts {
    case .property(let property): (property, self)
    case .plan(let plan): plan.lastProperty(from: self)
    }
  }
}

/// A value of any type, which is not wrapped twice.
private struct ErasedValue: CustomStringConvertible {
  let value: Any?
  init(_ value: Any?) { self.value = value }

  var description: String { shown(value) }
}
