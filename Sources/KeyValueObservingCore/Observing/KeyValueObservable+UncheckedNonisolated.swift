// Functions that `isolation: nil` selects for a closure that is not `@Sendable` and is passed as a
// variable. Without them it would select the functions for closures that belong to the caller's
// actor. The closure is `sending`, so one that may use the state of an actor does not compile.

extension KeyValueObservable {
  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to observe.
  ///   - options: The values to include in the change, and when to notify.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - changeHandler: The handler, called with the object and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  @inlinable
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: KeyValueObservation.Options = [],
    isolation: (any KeyValueNonisolatedActor)?,
    changeHandler: sending @escaping (Self, KeyValueChange<Value>) -> Void
  ) -> KeyValueObservation {
    observe(keyPath, options: options, changeHandler: changeHandler)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - options: The values to include in the change, and when to notify.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - changeHandler: The handler, called with the object and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  /// - Throws: As the function without `isolation` does.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  public func observe(
    _ keyPath: String, options: KeyValueObservation.Options = [],
    isolation: (any KeyValueNonisolatedActor)?,
    changeHandler: sending @escaping (Self, KeyValueChange<Any?>) -> Void
  ) throws(KeyValueCodingError) -> KeyValueObservation {
    try observe(keyPath, options: options, changeHandler: changeHandler)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to observe.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - perform: The handler, called with the new value.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  @inlinable
  public func onChange<Value>(
    of keyPath: KeyPath<Self, Value>, isolation: (any KeyValueNonisolatedActor)?,
    perform: sending @escaping (Value) -> Void
  ) -> KeyValueObservation {
    onChange(of: keyPath, perform: perform)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - keyPaths: The key paths to observe.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - perform: The handler.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  public func onChange(
    of keyPaths: PartialKeyPath<Self>..., isolation: (any KeyValueNonisolatedActor)?,
    perform: sending @escaping () -> Void
  ) -> KeyValueObservation {
    onChange(ofAny: keyPaths, nil, perform)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - keyPaths: Keys or key paths, each with its keys separated by dots.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - perform: The handler.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  /// - Throws: As the function without `isolation` does.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  public func onChange(
    _ keyPaths: String..., isolation: (any KeyValueNonisolatedActor)?,
    perform: sending @escaping () -> Void
  ) throws(KeyValueCodingError) -> KeyValueObservation {
    try onChange(ofAny: keyPaths, nil, perform)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - perform: The handler, called once at most.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  public func onDeinit(
    isolation: (any KeyValueNonisolatedActor)?, perform: sending @escaping () -> Void
  ) -> KeyValueObservation {
    onDeinit(perform: perform)
  }
}

extension KeyValueObserver {
  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - source: The object to observe.
  ///   - keyPath: The key path to observe.
  ///   - options: The values to include in the change, and when to notify.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - callback: The handler, called with the change and its reason.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  @inlinable
  public convenience init<Source: KeyValueObservable, Value>(
    source: Source, keyPath: KeyPath<Source, Value>,
    options: KeyValueObservation.Options = [.new, .initial],
    isolation: (any KeyValueNonisolatedActor)?,
    callback:
      sending @escaping (_ change: KeyValueChange<Value>, _ reason: KeyValueChangeReason) -> Void
  ) {
    self.init(source: source, keyPath: keyPath, options: options, callback: callback)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - source: The object to observe.
  ///   - keyPath: Keys, separated by dots.
  ///   - options: The values to include in the change, and when to notify.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - callback: The handler, called with the change and its reason.
  /// - Throws: As the initializer without `isolation` does.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  public convenience init<Source: KeyValueObservable>(
    source: Source, keyPath: String, options: KeyValueObservation.Options = [.new, .initial],
    isolation: (any KeyValueNonisolatedActor)?,
    callback:
      sending @escaping (_ change: KeyValueChange<Any?>, _ reason: KeyValueChangeReason) -> Void
  ) throws(KeyValueCodingError) {
    try self.init(source: source, keyPath: keyPath, options: options, callback: callback)
  }
}
