// Functions that register with `isolation: nil`: the closure belongs to no actor, and any thread
// may call it.

extension KeyValueObservable {
  /// Observes the value at a key path with a `@Sendable` closure.
  ///
  /// `changeHandler` is called on the thread that makes the change, before its setter returns (P8),
  /// and belongs to no actor, wherever this function is called. Everything else is as for
  /// `observe(_:options:isolation:changeHandler:)` with a closure that belongs to an actor.
  ///
  /// - Parameters:
  ///   - keyPath: The property or path to observe.
  ///   - options: The values to include in the change, and whether to deliver an initial
  ///     notification.
  ///   - isolation: `nil`.
  ///   - changeHandler: The handler, called with the object and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: O(1) for a property, O(*n*) for a path of *n* keys.
  @inlinable
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: KeyValueObservation.Options = [],
    isolation: KeyValueNonisolated?,
    changeHandler: consuming @escaping @Sendable (Self, KeyValueChange<Value>) -> Void
  ) -> KeyValueObservation {
    observe(keyPath, options: options, changeHandler: changeHandler)
  }

  /// Observes the value at a key path given as a string, with a `@Sendable` closure.
  ///
  /// `changeHandler` is called on the thread that makes the change, before its setter returns (P8),
  /// and belongs to no actor, wherever this function is called.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - options: The values to include in the change, and whether to deliver an initial
  ///     notification.
  ///   - isolation: `nil`.
  ///   - changeHandler: The handler, called with the object and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  /// - Throws: ``KeyValueCodingError/undefinedKey(_:type:suggestion:)``,
  ///   ``KeyValueCodingError/invalidKeyPath(_:reason:)``,
  ///   ``KeyValueCodingError/notObservable(keyPath:key:type:)``. Nothing is registered then.
  ///
  /// - Complexity: O(*n*) for *n* keys.
  public func observe(
    _ keyPath: String, options: KeyValueObservation.Options = [], isolation: KeyValueNonisolated?,
    changeHandler: @escaping @Sendable (Self, KeyValueChange<Any?>) -> Void
  ) throws(KeyValueCodingError) -> KeyValueObservation {
    try observe(keyPath, options: options, changeHandler: changeHandler)
  }

  /// Calls a `@Sendable` closure with the new value after each change of a property or key path.
  ///
  /// The closure is called on the thread that makes the change, before its setter returns (P8).
  ///
  /// - Parameters:
  ///   - keyPath: The key path to observe.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - perform: The handler, called with the new value.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: O(1) for a property, O(*n*) for a path of *n* keys.
  @inlinable
  public func onChange<Value>(
    of keyPath: KeyPath<Self, Value>, isolation: KeyValueNonisolated?,
    perform: @escaping @Sendable (Value) -> Void
  ) -> KeyValueObservation {
    onChange(of: keyPath, perform: perform)
  }

  /// Calls a `@Sendable` closure after each change of any of several properties or key paths.
  ///
  /// The closure is called on the thread that makes the change, before its setter returns (P8).
  ///
  /// - Parameters:
  ///   - keyPaths: The key paths to observe.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - perform: The handler.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: O(*n*) in the number of key paths.
  public func onChange(
    of keyPaths: PartialKeyPath<Self>..., isolation: KeyValueNonisolated?,
    perform: @escaping @Sendable () -> Void
  ) -> KeyValueObservation {
    onChange(ofAny: keyPaths, nil, perform)
  }

  /// Calls a `@Sendable` closure after each change of any of several key paths given as strings.
  ///
  /// The closure is called on the thread that makes the change, before its setter returns (P8).
  ///
  /// - Parameters:
  ///   - keyPaths: Keys or key paths, each with its keys separated by dots.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - perform: The handler.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  /// - Throws: The errors of `observe(_:options:isolation:changeHandler:)` with a string, for the
  ///   first key path that cannot work. Nothing is registered then.
  ///
  /// - Complexity: O(*n*) in the number of key paths.
  public func onChange(
    _ keyPaths: String..., isolation: KeyValueNonisolated?,
    perform: @escaping @Sendable () -> Void
  ) throws(KeyValueCodingError) -> KeyValueObservation {
    try onChange(ofAny: keyPaths, nil, perform)
  }
}

extension KeyValueObserver {
  /// Observes the value at a key path with a `@Sendable` callback.
  ///
  /// `callback` is called on the thread that makes the change, before its setter returns (P8), and
  /// belongs to no actor. Everything else is as for the initializer whose callback may belong to an
  /// actor.
  ///
  /// - Parameters:
  ///   - source: The object to observe.
  ///   - keyPath: The key path to observe.
  ///   - options: The values to include in the change, and when to notify.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - callback: The handler, called with the change and its reason.
  ///
  /// - Complexity: O(1) for a property, O(*n*) for a path of *n* keys.
  @inlinable
  public convenience init<Source: KeyValueObservable, Value>(
    source: Source, keyPath: KeyPath<Source, Value>,
    options: KeyValueObservation.Options = [.new, .initial], isolation: KeyValueNonisolated?,
    callback:
      @escaping @Sendable (_ change: KeyValueChange<Value>, _ reason: KeyValueChangeReason) -> Void
  ) {
    self.init(source: source, keyPath: keyPath, options: options, callback: callback)
  }

  /// Observes the value at a key path given as a string, with a `@Sendable` callback.
  ///
  /// - Parameters:
  ///   - source: The object to observe.
  ///   - keyPath: Keys, separated by dots.
  ///   - options: The values to include in the change, and when to notify.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - callback: The handler, called with the change and its reason.
  /// - Throws: The errors of `observe(_:options:isolation:changeHandler:)` with a string. Nothing
  ///   is registered then.
  ///
  /// - Complexity: O(*n*) for *n* keys.
  public convenience init<Source: KeyValueObservable>(
    source: Source, keyPath: String, options: KeyValueObservation.Options = [.new, .initial],
    isolation: KeyValueNonisolated?,
    callback:
      @escaping @Sendable (_ change: KeyValueChange<Any?>, _ reason: KeyValueChangeReason) -> Void
  ) throws(KeyValueCodingError) {
    try self.init(source: source, keyPath: keyPath, options: options, callback: callback)
  }
}
