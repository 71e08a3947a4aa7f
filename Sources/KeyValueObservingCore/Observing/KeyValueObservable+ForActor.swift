// Registering for an actor that is known as a value. The public functions take the isolation of their
// caller, which a closure that is stored for later does not have.
extension KeyValueObservable {
  /// Observes the value at a key path for an actor, on which this need not be called.
  ///
  /// `changeHandler` belongs to the actor, as if `observe(_:options:isolation:changeHandler:)` had been
  /// called there (P40): it is called at once where a change is made on the actor, and later on the
  /// actor where it is not. That holds for an initial change as well, before which changes may come then
  /// that other threads make in the meantime.
  ///
  /// - Parameters:
  ///   - keyPath: What to observe.
  ///   - options: What the change shall hold, and whether there is a first one.
  ///   - actor: The actor to which the observation belongs. With nil, `changeHandler` is called on the
  ///     thread that makes the change, and has to be one that any thread may call.
  ///   - changeHandler: The handler, called with the object and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: O(1) for a property, O(*n*) for a path of *n* links.
  package func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: KeyValueObservation.Options = [],
    for actor: (any Actor)?, changeHandler: @escaping (Self, KeyValueChange<Value>) -> Void
  ) -> KeyValueObservation {
    observe(options, for: actor, initially: { $0[keyPath: keyPath] }, changeHandler) {
      register(Sink(changeHandler, options: $0), at: keyPath, isolation: actor)
    }
  }

  /// Observes the value at a key path that is given as a string for an actor, on which this need not be
  /// called.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - options: What the change shall hold, and whether there is a first one.
  ///   - actor: The actor to which the observation belongs, as for a typed key path.
  ///   - changeHandler: The handler, called with the object and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: O(*n*) for *n* keys.
  ///
  /// - Throws: What `observe(_:options:isolation:changeHandler:)` with a string throws. Nothing is
  ///   registered then.
  package func observe(
    _ keyPath: String, options: KeyValueObservation.Options = [], for actor: (any Actor)?,
    changeHandler: @escaping (Self, KeyValueChange<Any?>) -> Void
  ) throws(KeyValueCodingError) -> KeyValueObservation {
    let path = try StringPath(keyPath, from: self)
    return observe(
      options, for: actor, initially: { KeyPathWalk.value(along: path.parsed, from: $0) },
      changeHandler
    ) {
      register(Sink(changeHandler, options: $0), at: path, isolation: actor)
    }
  }

  /// Registers, and leaves an initial change to the actor if this is called elsewhere.
  private func observe<Value>(
    _ options: KeyValueObservation.Options, for actor: (any Actor)?,
    initially value: (Self) -> Value,
    _ handler: @escaping (Self, KeyValueChange<Value>) -> Void,
    register: (KeyValueObservation.Options) -> KeyValueObservation
  ) -> KeyValueObservation {
    guard options.contains(.initial), let queue = actor.map({ ActorQueue.of($0) }), !queue.isOnActor
    else { return register(options) }
    let token = register(options.subtracting(.initial))
    let initial = KeyValueRegistrar.untracked { options.contains(.new) ? value(self) : nil }
    queue.post(to: nil) { [weak token] in
      if token?.isActive == true { handler(self, KeyValueChange(newValue: initial)) }
    }
    return token
  }
}
