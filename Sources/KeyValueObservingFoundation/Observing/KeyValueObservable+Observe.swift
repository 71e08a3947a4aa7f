#if !canImport(ObjectiveC)
  extension KeyValueObservable {
    /// Observes the value at a key path, with a closure that takes Cocoa's form of the change.
    ///
    /// Timing, order and lifetime are those of the library's own `observe`, which differs from
    /// Cocoa's in the type of the change only. A closure that does not say which it takes gets the
    /// library's, unless it does what only Cocoa's can, such as to pass its `indexes` on as an
    /// `IndexSet`. The observation lasts until the returned token is invalidated or deinitialized.
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
    @_disfavoredOverload
    public func observe<Value>(
      _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
      isolation: isolated (any Actor)? = #isolation,
      changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
      observe(keyPath, options: options, isolation: isolation) {
        (subject: Self, change: KeyValueChange<Value>) in
        changeHandler(subject, NSKeyValueObservedChange(change))
      }
    }

    /// Observes the value at a key path with a closure that any thread may call, and that takes
    /// Cocoa's form of the change.
    ///
    /// `changeHandler` is called on the thread that makes the change, before its setter returns (P8),
    /// and belongs to no actor.
    ///
    /// - Parameters:
    ///   - keyPath: The key path to observe.
    ///   - options: The values to include in the change, and when to notify.
    ///   - isolation: Nil, so that the observation belongs to no actor.
    ///   - changeHandler: The handler, called with the object and the change.
    /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
    ///
    /// - Complexity: O(1) for a property, O(*n*) for a path of *n* keys.
    @_disfavoredOverload
    public func observe<Value>(
      _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
      isolation: KeyValueNonisolated?,
      changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
      observe(keyPath, options: options, changeHandler: changeHandler)
    }

    /// Takes a closure that is not `@Sendable`, although any thread may call it.
    ///
    /// - Parameters:
    ///   - keyPath: The key path to observe.
    ///   - options: The values to include in the change, and when to notify.
    ///   - isolation: Nil, so that the observation belongs to no actor.
    ///   - changeHandler: The handler, called with the object and the change.
    /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
    @_disfavoredOverload
    @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
    public func observe<Value>(
      _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
      isolation: (any KeyValueNonisolatedActor)?,
      changeHandler: sending @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
      observe(keyPath, options: options, changeHandler: changeHandler)
    }
  }
#endif
