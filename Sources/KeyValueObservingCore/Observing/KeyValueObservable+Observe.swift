extension KeyValueObservable {
  /// Observes the value at a key path.
  ///
  /// The key path may be a property, stored or computed, a path through objects with or without
  /// optional chaining, or go on into a value (`\.frame.size.width`). `changeHandler` is called
  /// after each change, synchronously, on the thread that makes it and before its setter returns
  /// (P8); observers of one property are called in the order in which they were attached to it (P10).
  /// Registered on an actor it is called on that actor (P40). The observation lasts until the
  /// returned token is invalidated or deinitialized, or the object dies, of which the closure hears
  /// nothing (P33); it retains no object (P5). A token that is not kept ends the observation at
  /// once.
  ///
  /// The semantics are those of Apple's `NSObject.observe(_:options:changeHandler:)`, with the
  /// differences that the contract marks as better.
  ///
  /// - Parameters:
  ///   - keyPath: What to observe.
  ///   - options: What the change shall hold, and whether there is a first one.
  ///   - isolation: The actor to which the observation belongs (P40): the caller's, if there is one.
  ///     Passing nil takes a `@Sendable` closure.
  ///   - changeHandler: Receives the object and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: O(1) for a property, O(*n*) for a path of *n* links.
  @inlinable
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: KeyValueObservation.Options = [],
    isolation: isolated (any Actor)? = #isolation,
    changeHandler: consuming @escaping (Self, KeyValueChange<Value>) -> Void
  ) -> KeyValueObservation {
    if isolation == nil, let property = plainProperty(at: keyPath, options) {
      guard options.contains(.initial) else { return attach(changeHandler, options, to: property) }
      let token = attach(copy changeHandler, options, to: property)
      deliverInitial(of: keyPath, options, of: token, to: changeHandler)
      return token
    }
    return register(Sink(changeHandler, options: options), at: keyPath, isolation: isolation)
  }

  /// Observes the value at a key path that is given as a string.
  ///
  /// When, where and for how long `changeHandler` is called is as with a typed key path; the values
  /// are `Any?`, never doubly wrapped. A path that cannot work is refused now (P6): links that are
  /// there are checked against the object found, links that are nil against their declared type.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - options: What the change shall hold, and whether there is a first one.
  ///   - isolation: The actor to which the observation belongs (P40): the caller's, if there is one.
  ///     Passing nil takes a `@Sendable` closure.
  ///   - changeHandler: Receives the object and the change.
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
    return register(Sink(changeHandler, options: options), at: path, isolation: isolation)
  }
}
