// What `isolation: nil` selects for a closure that is not `@Sendable` and is passed as a variable,
// which without these would select the functions of closures that belong to the caller's actor. The
// closure is `sending`, so one that may use the state of an actor does not compile.

extension KeyValueObservable {
  /// Takes a closure that is not `@Sendable`, although any thread may call it.
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
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  public func observe(
    _ keyPath: String, options: KeyValueObservation.Options = [],
    isolation: (any KeyValueNonisolatedActor)?,
    changeHandler: sending @escaping (Self, KeyValueChange<Any?>) -> Void
  ) throws(KeyValueCodingError) -> KeyValueObservation {
    try observe(keyPath, options: options, changeHandler: changeHandler)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  @inlinable
  public func onChange<Value>(
    of keyPath: KeyPath<Self, Value>, isolation: (any KeyValueNonisolatedActor)?,
    perform: sending @escaping (Value) -> Void
  ) -> KeyValueObservation {
    onChange(of: keyPath, perform: perform)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  public func onChange(
    of keyPaths: PartialKeyPath<Self>..., isolation: (any KeyValueNonisolatedActor)?,
    perform: sending @escaping () -> Void
  ) -> KeyValueObservation {
    onChange(ofAny: keyPaths, nil, perform)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  public func onChange(
    _ keyPaths: String..., isolation: (any KeyValueNonisolatedActor)?,
    perform: sending @escaping () -> Void
  ) throws(KeyValueCodingError) -> KeyValueObservation {
    try onChange(ofAny: keyPaths, nil, perform)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  @inlinable
  public func observeElements<Element: Equatable>(
    of keyPath: KeyPath<Self, [Element]>, isolation: (any KeyValueNonisolatedActor)?,
    changeHandler: sending @escaping (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observeElements(of: keyPath, changeHandler: changeHandler)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  @inlinable
  public func observeElements<Element: AnyObject>(
    of keyPath: KeyPath<Self, [Element]>, isolation: (any KeyValueNonisolatedActor)?,
    changeHandler: sending @escaping (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observeElements(of: keyPath, changeHandler: changeHandler)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  @inlinable
  public func observeElements<Element: AnyObject & Equatable>(
    of keyPath: KeyPath<Self, [Element]>, isolation: (any KeyValueNonisolatedActor)?,
    changeHandler: sending @escaping (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observeElements(of: keyPath, changeHandler: changeHandler)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  public func onDeinit(
    isolation: (any KeyValueNonisolatedActor)?, perform: sending @escaping () -> Void
  ) -> KeyValueObservation {
    onDeinit(perform: perform)
  }
}

extension KeyValueObserver {
  /// Takes a closure that is not `@Sendable`, although any thread may call it.
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
