extension KeyValueObservable {
  /// Observes the value at a key path.
  ///
  /// The key path may be a stored or computed property, a path through objects with or without
  /// optional chaining, or continue into a value (`\.frame.size.width`). `changeHandler` is called
  /// synchronously after each change, on the thread that makes it and before its setter returns
  /// (P8). Observers of one property are called in the order in which they were attached (P10). A
  /// handler that is registered on an actor is called on that actor (P40).
  ///
  /// The observation ends when the returned token is invalidated or deinitialized, or when the
  /// observed object is deallocated; the handler is not called in that case (P33). The observation
  /// does not retain the object (P5). Discarding the token ends the observation immediately.
  ///
  /// A key path that unwraps an object (`\.author!.name`) has no value while that is nil:
  /// `newValue` and `oldValue` are absent then (P26). It stops the program if it cannot be taken
  /// apart (P17).
  ///
  /// The semantics are those of Apple's `NSObject.observe(_:options:changeHandler:)`, with the
  /// differences that the guarantees mark.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to observe.
  ///   - options: The values to include in the change, and when to notify.
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `@Sendable` closure.
  ///   - changeHandler: The handler, called with the object and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: O(1) for a property, O(*n*) for a path of *n* keys.
  @inlinable
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: KeyValueObservation.Options = [],
    isolation: isolated (any Actor)? = #isolation,
    changeHandler: consuming @escaping (Self, KeyValueChange<Value>) -> Void
  ) -> KeyValueObservation {
    let known = KnownKeyPath.of(keyPath, from: Self.self)
    if isolation == nil, let property = propertyTakingClosure(known, of: Value.self, options) {
      guard options.contains(.initial) else { return attach(changeHandler, options, to: property) }
      let token = attach(copy changeHandler, options, to: property)
      deliverInitial(options, of: token, to: changeHandler) { $0[keyPath: keyPath] }
      return token
    }
    return register(
      ObserverPipeline(changeHandler, options: options), at: keyPath, known, isolation: isolation)
  }

  /// Observes the value at a key path given as a string.
  ///
  /// Timing, order and lifetime are those of the function that takes a typed key path. The values
  /// are `Any?`, never doubly wrapped. A key path that cannot work is rejected on registration
  /// (P6): existing intermediate objects are checked themselves, and absent ones by their declared
  /// type.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - options: The values to include in the change, and when to notify.
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `@Sendable` closure.
  ///   - changeHandler: The handler, called with the object and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  /// - Throws: ``KeyValueCodingError/undefinedKey(_:type:suggestion:)``,
  ///   ``KeyValueCodingError/invalidKeyPath(_:reason:)``,
  ///   ``KeyValueCodingError/notObservable(keyPath:key:type:)``. Nothing is registered then.
  ///
  /// - Complexity: O(*n*) for *n* keys.
  public func observe(
    _ keyPath: String, options: KeyValueObservation.Options = [],
    isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Self, KeyValueChange<Any?>) -> Void
  ) throws(KeyValueCodingError) -> KeyValueObservation {
    let path = try StringPath(keyPath, from: self)
    return register(
      ObserverPipeline(changeHandler, options: options), at: path, isolation: isolation)
  }
}
