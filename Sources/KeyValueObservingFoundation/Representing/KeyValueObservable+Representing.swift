extension KeyValueObservable {
  /// Returns the value of a key as a type.
  ///
  /// The property may hold a value of the type itself, its raw value, or what a
  /// ``KVORepresentable`` type is made from. Values are converted without loss, as by
  /// `setValue(_:forKey:)` (P42): a number becomes another type of number that has exactly its value,
  /// and a value with a raw value counts as that. The result is nil where the property is nil and where
  /// no value of the type has what it holds, as with a raw value without a case, or with 300 as an
  /// `Int8`. If it holds something else altogether, a diagnostic is reported too.
  ///
  /// - Parameters:
  ///   - key: The key of a property.
  ///   - type: The type of the value.
  /// - Returns: The value, or nil if the property has none.
  /// - Throws: The errors of `value(forKey:)`.
  ///
  /// - Complexity: O(1).
  public func value<Value>(
    forKey key: String, as type: Value.Type
  ) throws(KeyValueCodingError) -> Value? {
    Representation<Value>(subject: Self.self, keyPath: key).value(of: try value(forKey: key))
  }

  /// Returns the value at a key path as a type.
  ///
  /// The result is that of the function that takes a key. It is nil if an intermediate object is
  /// nil.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - type: The type of the value.
  /// - Returns: The value, or nil if the property has none.
  /// - Throws: The errors of `value(forKeyPath:)`.
  ///
  /// - Complexity: O(*n*) for *n* keys.
  public func value<Value>(
    forKeyPath keyPath: String, as type: Value.Type
  ) throws(KeyValueCodingError) -> Value? {
    Representation<Value>(subject: Self.self, keyPath: keyPath)
      .value(of: try value(forKeyPath: keyPath))
  }

  /// Observes the value at a key path as a type, in the manner of RxCocoa's `observe(_:_:)`.
  ///
  /// Timing, order and lifetime are those of every other `observe`. Values are converted as by
  /// `value(forKey:as:)`: a requested value is always present, and is nil if the property is nil or
  /// if no value of the type represents its value. If the property holds a value of an unrelated
  /// type, a diagnostic is reported once for each such type. The observation lasts until the
  /// returned token is invalidated or deinitialized.
  ///
  /// A computed property that makes the value can be observed directly, and needs no type here.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - type: The type of the values: the property's own type, a type with such a raw value, or a
  ///     ``KVORepresentable`` type.
  ///   - options: The values to include in the change, and when to notify.
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `@Sendable` closure.
  ///   - changeHandler: The handler, called with the object and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  /// - Throws: The errors of `observe(_:options:changeHandler:)` with a string. Nothing is
  ///   registered then.
  ///
  /// - Complexity: O(*n*) for *n* keys.
  public func observe<Value>(
    _ keyPath: String, as type: Value.Type, options: KeyValueObservation.Options = [],
    isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Self, KeyValueChange<Value?>) -> Void
  ) throws(KeyValueCodingError) -> KeyValueObservation {
    let representation = Representation<Value>(observing: keyPath, of: Self.self)
    return try observe(keyPath, options: options, isolation: isolation) { subject, change in
      changeHandler(subject, change.mapValues { representation.value(of: $0) })
    }
  }

  /// Observes the value at a key path as a type, with a closure that any thread may call.
  ///
  /// `changeHandler` is called on the thread that makes the change, before its setter returns (P8),
  /// and belongs to no actor.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - type: The type of the value.
  ///   - options: The values to include in the change, and when to notify.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - changeHandler: The handler, called with the object and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  /// - Throws: The errors of `observe(_:options:isolation:changeHandler:)` with a string. Nothing
  ///   is registered then.
  ///
  /// - Complexity: O(*n*) for *n* keys.
  public func observe<Value>(
    _ keyPath: String, as type: Value.Type, options: KeyValueObservation.Options = [],
    isolation: KeyValueNonisolated?,
    changeHandler: @escaping @Sendable (Self, KeyValueChange<Value?>) -> Void
  ) throws(KeyValueCodingError) -> KeyValueObservation {
    try observe(keyPath, as: type, options: options, changeHandler: changeHandler)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - type: The type of the value.
  ///   - options: The values to include in the change, and when to notify.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - changeHandler: The handler, called with the object and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  /// - Throws: As the function without `isolation` does.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  public func observe<Value>(
    _ keyPath: String, as type: Value.Type, options: KeyValueObservation.Options = [],
    isolation: (any KeyValueNonisolatedActor)?,
    changeHandler: sending @escaping (Self, KeyValueChange<Value?>) -> Void
  ) throws(KeyValueCodingError) -> KeyValueObservation {
    try observe(keyPath, as: type, options: options, changeHandler: changeHandler)
  }
}
