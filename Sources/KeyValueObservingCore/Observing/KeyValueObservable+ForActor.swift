// Registration for an actor that is known as a value. The public functions take the isolation of
// their caller, which a closure that is stored for later does not have.
extension KeyValueObservable {
  /// Observes the value at a key path for an actor, from outside that actor if need be.
  ///
  /// `changeHandler` belongs to the actor, as if `observe(_:options:isolation:changeHandler:)` had
  /// been called there (P40): it is called synchronously for a change that is made on the actor,
  /// and later, on the actor, for any other change. The same holds for the initial change, which
  /// may then be preceded by changes that other threads make in the meantime.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to observe.
  ///   - options: The values to include in the change, and when to notify.
  ///   - actor: The actor to which the observation belongs. With nil, `changeHandler` is called on
  ///     the thread that makes the change, and has to be one that any thread may call.
  ///   - changeHandler: The handler, called with the object and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: O(1) for a property, O(*n*) for a path of *n* keys.
  package func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: KeyValueObservation.Options = [],
    for actor: (any Actor)?, changeHandler: @escaping (Self, KeyValueChange<Value>) -> Void
  ) -> KeyValueObservation {
    observe(options, for: actor, initially: { $0.presentValue(at: keyPath) }, changeHandler) {
      register(ObserverPipeline(changeHandler, options: $0), at: keyPath, isolation: actor)
    }
  }

  /// Observes the value at a key path given as a string for an actor, from outside that actor if
  /// need be.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - options: The values to include in the change, and when to notify.
  ///   - actor: The actor to which the observation belongs, as for a typed key path.
  ///   - changeHandler: The handler, called with the object and the change.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: O(*n*) for *n* keys.
  ///
  /// - Throws: The errors of `observe(_:options:isolation:changeHandler:)` with a string. Nothing
  ///   is registered then.
  package func observe(
    _ keyPath: String, options: KeyValueObservation.Options = [], for actor: (any Actor)?,
    changeHandler: @escaping (Self, KeyValueChange<Any?>) -> Void
  ) throws(KeyValueCodingError) -> KeyValueObservation {
    let path = try StringPath(keyPath, from: self)
    return observe(
      options, for: actor, initially: { path.value(from: $0) },
      changeHandler
    ) {
      register(ObserverPipeline(changeHandler, options: $0), at: path, isolation: actor)
    }
  }

  /// Registers, and defers an initial change to the actor if the caller is not on it.
  private func observe<Value>(
    _ options: KeyValueObservation.Options, for actor: (any Actor)?,
    initially value: (Self) -> Value?,
    _ handler: @escaping (Self, KeyValueChange<Value>) -> Void,
    register: (KeyValueObservation.Options) -> KeyValueObservation
  ) -> KeyValueObservation {
    guard options.contains(.initial), let queue = actor.map({ ActorQueue.of($0) }), !queue.isOnActor
    else { return register(options) }
    let token = register(options.subtracting(.initial))
    let initial = ThreadState.pauseRecording { options.contains(.new) ? value(self) : nil }
    queue.schedule { [weak token] in
      if token?.isActive == true { handler(self, KeyValueChange(newValue: initial)) }
    }
    return token
  }
}
