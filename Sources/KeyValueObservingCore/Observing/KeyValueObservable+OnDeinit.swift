extension KeyValueObservable {
  /// Calls `perform` once, when the object has been deinitialized.
  ///
  /// The handler is called on the thread that releases the last reference, after the `deinit` of
  /// the object; if it is registered on an actor, on that actor (P40). Several handlers are called
  /// in the order in which they were registered, after the observers of single properties that are
  /// notified of the deallocation (P33).
  ///
  /// The object is not retained. The observation lasts until the returned token is invalidated or
  /// deinitialized; discarding the token ends it immediately, and `perform` is never called.
  ///
  /// - Parameters:
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `@Sendable` closure.
  ///   - perform: Is called once at most, and released then.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: O(1).
  public func onDeinit(
    isolation: isolated (any Actor)? = #isolation, perform: @escaping () -> Void
  ) -> KeyValueObservation {
    var pipeline = ObserverPipeline<Self, Void>(
      { _, _ in }, options: [], subjectDeallocated: perform)
    if let isolation { pipeline.bind(to: isolation) }
    let context = keyValueRegistrar.madeContext
    let observation = KeyObservation(
      options: [], handler: pipeline.handler, completion: pipeline.completion, receive: { _, _ in })
    let token = KeyValueObservation(observation, in: context)
    context._withUnsafeGuaranteedRef { $0.attachToDeallocation(observation) }
    RegistrationWatch.note(
      token, KeyValueRegistration(subject: type(of: self), keyPath: "self"))
    return token
  }

  /// Calls a `@Sendable` closure once, when the object has been deinitialized, on the thread that
  /// releases the last reference.
  ///
  /// - Parameters:
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - perform: The handler, called once at most.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: O(1).
  public func onDeinit(
    isolation: KeyValueNonisolated?, perform: @escaping @Sendable () -> Void
  ) -> KeyValueObservation {
    onDeinit(perform: perform)
  }
}
