// What registers with `isolation: nil`: the closure belongs to no actor, and any thread may call
// it.

extension KeyValueObservable {
  /// Observes the value at a key path while an owner is in a span of its lifecycle, with a closure
  /// that any thread may call.
  ///
  /// `changeHandler` is called on the thread that makes the change, before its setter returns (P8). The
  /// lifecycle still moves on one thread at a time.
  ///
  /// Complexity: O(1), and what registering costs at each entry.
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
  /// - Throws: What `observe(_:options:changeHandler:)` with a string throws. Nothing is kept then.
  ///
  /// Complexity: O(*n*) for *n* keys, and what registering costs at each entry.
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
  /// Complexity: O(1), and what registering costs at each entry.
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
  /// - Throws: What `observe(_:options:changeHandler:)` with a string throws. Nothing is kept then.
  ///
  /// Complexity: O(*n*) for *n* keys, and what registering costs at each entry.
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
