// Functions that `isolation: nil` selects for a closure that is not `@Sendable` and is passed as a
// variable. Without them it would select the functions for closures that belong to the caller's
// actor.

extension KeyValueObservable {
  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to observe.
  ///   - span: The phases in which to observe.
  ///   - owner: The owner of the lifecycle.
  ///   - options: The values to include in the change, and when to notify.
  ///   - deliver: When to deliver changes.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - changeHandler: The handler, called with the owner and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  @discardableResult
  public func observe<Owner: LifecycleOwner, Value>(
    _ keyPath: KeyPath<Self, Value>, while span: Lifecycle.Span, of owner: Owner,
    options: KeyValueObservation.Options = [], deliver: LifecycleDelivery = .immediate,
    isolation: (any KeyValueNonisolatedActor)?,
    changeHandler: sending @escaping (Owner, KeyValueChange<Value>) -> Void
  ) -> LifecycleObservation {
    observe(
      keyPath, while: span, of: owner, options: options, deliver: deliver,
      changeHandler: changeHandler)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - span: The phases in which to observe.
  ///   - owner: The owner of the lifecycle.
  ///   - options: The values to include in the change, and when to notify.
  ///   - deliver: When to deliver changes.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - changeHandler: The handler, called with the owner and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  /// - Throws: As the function without `isolation` does.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  @discardableResult
  public func observe<Owner: LifecycleOwner>(
    _ keyPath: String, while span: Lifecycle.Span, of owner: Owner,
    options: KeyValueObservation.Options = [], deliver: LifecycleDelivery = .immediate,
    isolation: (any KeyValueNonisolatedActor)?,
    changeHandler: sending @escaping (Owner, KeyValueChange<Any?>) -> Void
  ) throws(KeyValueCodingError) -> LifecycleObservation {
    try observe(
      keyPath, while: span, of: owner, options: options, deliver: deliver,
      changeHandler: changeHandler)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to observe.
  ///   - span: The phases in which to observe.
  ///   - owner: The owner of the lifecycle.
  ///   - subject: Returns the object to observe, if there is one.
  ///   - options: The values to include in the change, and when to notify.
  ///   - deliver: When to deliver changes.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - changeHandler: The handler, called with the owner and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  @discardableResult
  public static func observe<Owner: LifecycleOwner, Value>(
    _ keyPath: KeyPath<Self, Value>, while span: Lifecycle.Span, of owner: Owner,
    subject: sending @escaping (Owner) -> Self?, options: KeyValueObservation.Options = [],
    deliver: LifecycleDelivery = .immediate, isolation: (any KeyValueNonisolatedActor)?,
    changeHandler: sending @escaping (Owner, KeyValueChange<Value>) -> Void
  ) -> LifecycleObservation {
    observe(
      keyPath, while: span, of: owner, subject: subject, options: options, deliver: deliver,
      changeHandler: changeHandler)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - span: The phases in which to observe.
  ///   - owner: The owner of the lifecycle.
  ///   - subject: Returns the object to observe, if there is one.
  ///   - options: The values to include in the change, and when to notify.
  ///   - deliver: When to deliver changes.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - changeHandler: The handler, called with the owner and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  /// - Throws: As the function without `isolation` does.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  @discardableResult
  public static func observe<Owner: LifecycleOwner>(
    _ keyPath: String, while span: Lifecycle.Span, of owner: Owner,
    subject: sending @escaping (Owner) -> Self?, options: KeyValueObservation.Options = [],
    deliver: LifecycleDelivery = .immediate, isolation: (any KeyValueNonisolatedActor)?,
    changeHandler: sending @escaping (Owner, KeyValueChange<Any?>) -> Void
  ) throws(KeyValueCodingError) -> LifecycleObservation {
    try observe(
      keyPath, while: span, of: owner, subject: subject, options: options, deliver: deliver,
      changeHandler: changeHandler)
  }
}
