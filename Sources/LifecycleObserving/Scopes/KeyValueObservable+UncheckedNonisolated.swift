// What `isolation: nil` selects for a closure that is not `@Sendable` and is passed as a variable, which
// without these would select the functions of closures that belong to the caller's actor.

extension KeyValueObservable {
  /// Takes a closure that is not `@Sendable`, although any thread may call it.
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
