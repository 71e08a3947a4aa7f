extension KeyValueObservable {
  /// Calls `perform` with the new value after each change of a property or key path.
  ///
  /// The handler is called synchronously, on the thread that makes the change and before its setter
  /// returns, and not on registration. Observers are called in the order in which they were
  /// attached (P10). A handler that is registered on an actor is called on that actor (P40). The
  /// observation lasts until the returned token is invalidated or deinitialized; discarding the
  /// token ends it immediately.
  ///
  /// The function is `observe` with the option `new`, without the object and the change. After a
  /// mutation through a collection proxy, the value is the whole collection. The handler is
  /// not called while a key path unwraps an object that is nil, and so has no value (P26).
  ///
  /// - Parameters:
  ///   - keyPath: The key path to observe.
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `@Sendable` closure.
  ///   - perform: The handler, called with the new value.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: O(1) for a property, O(*n*) for a path of *n* keys.
  @inlinable
  public func onChange<Value>(
    of keyPath: KeyPath<Self, Value>, isolation: isolated (any Actor)? = #isolation,
    perform: @escaping (Value) -> Void
  ) -> KeyValueObservation {
    observe(keyPath, options: .new, isolation: isolation) { subject, change in
      if let value = subject.wholeValue(of: change, at: keyPath) { perform(value) }
    }
  }

  /// Calls `perform` after each change of any of several properties or key paths.
  ///
  /// The handler is called synchronously, on the thread that makes the change and before its setter
  /// returns; if it is registered on an actor, on that actor (P40). If one change affects several
  /// of the key paths, the handler is called once for each. The observations last until the
  /// returned token is invalidated or deinitialized; discarding the token ends them immediately.
  ///
  /// - Parameters:
  ///   - keyPaths: The key paths to observe.
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `@Sendable` closure.
  ///   - perform: The handler.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: O(*n*) in the number of key paths.
  public func onChange(
    of keyPaths: PartialKeyPath<Self>..., isolation: isolated (any Actor)? = #isolation,
    perform: @escaping () -> Void
  ) -> KeyValueObservation {
    onChange(ofAny: keyPaths, isolation, perform)
  }

  /// Calls `perform` after each change of any of several keys or key paths given as strings.
  ///
  /// Timing, order and lifetime are those of the function that takes typed key paths.
  ///
  /// - Parameters:
  ///   - keyPaths: Keys or key paths, each with its keys separated by dots.
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `@Sendable` closure.
  ///   - perform: The handler.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  /// - Throws: The errors of `observe(_:options:changeHandler:)` with a string, for the first key
  ///   path that cannot work. Nothing is registered then.
  ///
  /// - Complexity: O(*n*) in the number of key paths.
  public func onChange(
    _ keyPaths: String..., isolation: isolated (any Actor)? = #isolation,
    perform: @escaping () -> Void
  ) throws(KeyValueCodingError) -> KeyValueObservation {
    try onChange(ofAny: keyPaths, isolation, perform)
  }

  func onChange(
    ofAny keyPaths: [PartialKeyPath<Self>], _ isolation: (any Actor)?,
    _ perform: @escaping () -> Void
  ) -> KeyValueObservation {
    KeyValueObservation(
      keyPaths.map { keyPath in
        func register<Value>(_: Value.Type) -> KeyValueObservation {
          self.register(
            ObserverPipeline<Self, Value>({ _, _ in perform() }, options: []),
            at: unsafeDowncast(keyPath, to: KeyPath<Self, Value>.self), isolation: isolation)
        }
        return _openExistential(Swift.type(of: keyPath).valueType, do: register)
      })
  }

  func onChange(
    ofAny keyPaths: [String], _ isolation: (any Actor)?, _ perform: @escaping () -> Void
  ) throws(KeyValueCodingError) -> KeyValueObservation {
    var paths: [StringPath] = []
    for keyPath in keyPaths { paths.append(try StringPath(keyPath, from: self)) }
    return KeyValueObservation(
      paths.map { path in
        register(
          ObserverPipeline<Self, Any?>({ _, _ in perform() }, options: []), at: path,
          isolation: isolation)
      })
  }
}
