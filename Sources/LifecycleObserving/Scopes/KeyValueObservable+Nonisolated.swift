// Functions that register with `isolation: nil`: the closure belongs to no actor, and any thread
// may call it.

extension KeyValueObservable {
  /// Observes the value at a key path while an owner is in a span of its lifecycle, with a closure
  /// that any thread may call.
  ///
  /// `changeHandler` is called on the thread that makes the change, before its setter returns (P8). The
  /// lifecycle still moves on one thread at a time.
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
  ///
  /// - Complexity: O(1), and the cost of registering at each entry.
  @discardableResult
  public func observe<Owner: LifecycleOwner, Value>(
    _ keyPath: KeyPath<Self, Value>, while span: Lifecycle.Span, of owner: Owner,
    options: KeyValueObservation.Options = [], deliver: LifecycleDelivery = .immediate,
    isolation: KeyValueNonisolated?,
    changeHandler: @escaping @Sendable (Owner, KeyValueChange<Value>) -> Void
  ) -> LifecycleObservation {
    observe(
      keyPath, while: span, of: owner, options: options, deliver: deliver,
      changeHandler: changeHandler)
  }

  /// Observes the value at a key path that is given as a string while an owner is in a span of its
  /// lifecycle, with a closure that any thread may call.
  ///
  /// `changeHandler` is called on the thread that makes the change, before its setter returns (P8). The
  /// lifecycle still moves on one thread at a time.
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
  /// - Throws: The errors of `observe(_:options:changeHandler:)` with a string. Nothing is kept
  ///   then.
  ///
  /// - Complexity: O(*n*) for *n* keys, and the cost of registering at each entry.
  @discardableResult
  public func observe<Owner: LifecycleOwner>(
    _ keyPath: String, while span: Lifecycle.Span, of owner: Owner,
    options: KeyValueObservation.Options = [], deliver: LifecycleDelivery = .immediate,
    isolation: KeyValueNonisolated?,
    changeHandler: @escaping @Sendable (Owner, KeyValueChange<Any?>) -> Void
  ) throws(KeyValueCodingError) -> LifecycleObservation {
    try observe(
      keyPath, while: span, of: owner, options: options, deliver: deliver,
      changeHandler: changeHandler)
  }

  /// Observes the value at a key path of an object that an owner has, while the owner is in a span
  /// of its lifecycle, with a closure that any thread may call.
  ///
  /// `changeHandler` is called on the thread that makes the change, before its setter returns (P8). The
  /// lifecycle still moves on one thread at a time.
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
  ///
  /// - Complexity: O(1), and the cost of registering at each entry.
  @discardableResult
  public static func observe<Owner: LifecycleOwner, Value>(
    _ keyPath: KeyPath<Self, Value>, while span: Lifecycle.Span, of owner: Owner,
    subject: @escaping @Sendable (Owner) -> Self?, options: KeyValueObservation.Options = [],
    deliver: LifecycleDelivery = .immediate, isolation: KeyValueNonisolated?,
    changeHandler: @escaping @Sendable (Owner, KeyValueChange<Value>) -> Void
  ) -> LifecycleObservation {
    observe(
      keyPath, while: span, of: owner, subject: subject, options: options, deliver: deliver,
      changeHandler: changeHandler)
  }

  /// Observes the value at a key path, given as a string, of an object that an owner has, while
  /// the owner is in a span of its lifecycle, with a closure that any thread may call.
  ///
  /// `changeHandler` is called on the thread that makes the change, before its setter returns (P8). The
  /// lifecycle still moves on one thread at a time.
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
  /// - Throws: The errors of `observe(_:options:changeHandler:)` with a string. Nothing is kept
  ///   then.
  ///
  /// - Complexity: O(*n*) for *n* keys, and the cost of registering at each entry.
  @discardableResult
  public static func observe<Owner: LifecycleOwner>(
    _ keyPath: String, while span: Lifecycle.Span, of owner: Owner,
    subject: @escaping @Sendable (Owner) -> Self?, options: KeyValueObservation.Options = [],
    deliver: LifecycleDelivery = .immediate, isolation: KeyValueNonisolated?,
    changeHandler: @escaping @Sendable (Owner, KeyValueChange<Any?>) -> Void
  ) throws(KeyValueCodingError) -> LifecycleObservation {
    try observe(
      keyPath, while: span, of: owner, subject: subject, options: options, deliver: deliver,
      changeHandler: changeHandler)
  }
}
