extension KeyValueObservable {
  /// Observes insertions into and removals from an array, compared by equality, with a `@Sendable`
  /// closure.
  ///
  /// The closure is called on the thread that makes the change, before its setter returns (P8,
  /// P37).
  ///
  /// - Parameters:
  ///   - keyPath: The key path of an array.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - changeHandler: The handler, called with the object and the difference.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: As without `isolation`.
  @inlinable
  public func observeElements<Element: Equatable>(
    of keyPath: KeyPath<Self, [Element]>, isolation: KeyValueNonisolated?,
    changeHandler: @escaping @Sendable (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observeElements(of: keyPath, changeHandler: changeHandler)
  }

  /// Observes insertions into and removals from an array of objects, compared by identity, with a
  /// `@Sendable` closure.
  ///
  /// The closure is called on the thread that makes the change, before its setter returns (P8,
  /// P37).
  ///
  /// - Parameters:
  ///   - keyPath: The key path of an array.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - changeHandler: The handler, called with the object and the difference.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: As without `isolation`.
  @inlinable
  public func observeElements<Element: AnyObject>(
    of keyPath: KeyPath<Self, [Element]>, isolation: KeyValueNonisolated?,
    changeHandler: @escaping @Sendable (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observeElements(of: keyPath, changeHandler: changeHandler)
  }

  /// Observes insertions into and removals from an array of objects, compared by equality, with a
  /// `@Sendable` closure.
  ///
  /// The closure is called on the thread that makes the change, before its setter returns (P8,
  /// P37).
  ///
  /// - Parameters:
  ///   - keyPath: The key path of an array.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - changeHandler: The handler, called with the object and the difference.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: As without `isolation`.
  @inlinable
  public func observeElements<Element: AnyObject & Equatable>(
    of keyPath: KeyPath<Self, [Element]>, isolation: KeyValueNonisolated?,
    changeHandler: @escaping @Sendable (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observeElements(of: keyPath, changeHandler: changeHandler)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of an array.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - changeHandler: The handler, called with the object and the difference.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  @inlinable
  public func observeElements<Element: Equatable>(
    of keyPath: KeyPath<Self, [Element]>, isolation: (any KeyValueNonisolatedActor)?,
    changeHandler: sending @escaping (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observeElements(of: keyPath, changeHandler: changeHandler)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of an array.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - changeHandler: The handler, called with the object and the difference.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  @inlinable
  public func observeElements<Element: AnyObject>(
    of keyPath: KeyPath<Self, [Element]>, isolation: (any KeyValueNonisolatedActor)?,
    changeHandler: sending @escaping (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observeElements(of: keyPath, changeHandler: changeHandler)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of an array.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - changeHandler: The handler, called with the object and the difference.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  @inlinable
  public func observeElements<Element: AnyObject & Equatable>(
    of keyPath: KeyPath<Self, [Element]>, isolation: (any KeyValueNonisolatedActor)?,
    changeHandler: sending @escaping (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observeElements(of: keyPath, changeHandler: changeHandler)
  }
}
