internal import KeyValueObservingCore

extension KeyValueObservable {
  /// Observes the value at a key path while an owner is in a span of its lifecycle.
  ///
  /// The observation is registered each time the span begins, and ends each time the span ends (P82).
  /// Inside the span it is registered before this returns. `initial` is delivered at each entry.
  /// In between, `changeHandler` is called as that of `observe(_:options:changeHandler:)`: after each
  /// change, synchronously, on the thread that makes it, or on the actor on which this was called
  /// (P40). It receives the owner, so that it need not capture it.
  ///
  ///     document.observe(\.title, while: .presented, of: screen, options: [.initial, .new]) {
  ///       screen, change in screen.header = change.newValue ?? ""
  ///     }
  ///
  /// The lifecycle keeps the observation; neither this object nor the owner is retained (P83).
  /// It ends with the lifecycle or with either object. After the end of the lifecycle nothing is
  /// registered, and one diagnostic is reported.
  ///
  /// - Parameters:
  ///   - keyPath: The property or path to observe.
  ///   - span: The part of the lifecycle during which to observe.
  ///   - owner: The object whose lifecycle it is.
  ///   - options: The values to include in the change, and whether to deliver an initial
  ///     notification.
  ///   - deliver: Whether to call the handler at a later moment.
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `@Sendable` closure.
  ///   - changeHandler: Receives the owner and the change.
  /// - Returns: The observation, which can be ended early and need not be kept.
  ///
  /// - Complexity: O(1), and the cost of registering at each entry.
  @discardableResult
  public func observe<Owner: LifecycleOwner, Value>(
    _ keyPath: KeyPath<Self, Value>, while span: Lifecycle.Span, of owner: Owner,
    options: KeyValueObservation.Options = [], deliver: LifecycleDelivery = .immediate,
    isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Owner, KeyValueChange<Value>) -> Void
  ) -> LifecycleObservation {
    let handler = ScopedHandler(owner, options, deliver, changeHandler)
    return observe(while: span, of: owner) { subject, stay in
      subject.observe(
        keyPath, options: handler.options, for: isolation,
        changeHandler: handler.handler(during: stay))
    }
  }

  /// Observes the value at a key path that is given as a string while an owner is in a span of its
  /// lifecycle.
  ///
  /// Timing and lifetime are those of the function that takes a typed key path. A path that cannot
  /// work is rejected on registration, also outside the span (P6). One that has become impossible
  /// when the span begins again is reported in one diagnostic, and tried once more at each entry.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - span: The part of the lifecycle during which to observe.
  ///   - owner: The object whose lifecycle it is.
  ///   - options: The values to include in the change, and whether to deliver an initial
  ///     notification.
  ///   - deliver: Whether to call the handler at a later moment.
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `@Sendable` closure.
  ///   - changeHandler: Receives the owner and the change.
  /// - Returns: The observation, which can be ended early and need not be kept.
  /// - Throws: The errors of `observe(_:options:changeHandler:)` with a string. Nothing is kept
  ///   then.
  ///
  /// - Complexity: O(*n*) for *n* keys, and the cost of registering at each entry.
  @discardableResult
  public func observe<Owner: LifecycleOwner>(
    _ keyPath: String, while span: Lifecycle.Span, of owner: Owner,
    options: KeyValueObservation.Options = [], deliver: LifecycleDelivery = .immediate,
    isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Owner, KeyValueChange<Any?>) -> Void
  ) throws(KeyValueCodingError) -> LifecycleObservation {
    try Self.checkKeyPath(keyPath, from: self)
    let handler = ScopedHandler(owner, options, deliver, changeHandler)
    let path = ScopedKeyPath(keyPath, while: span, of: owner)
    return observe(while: span, of: owner) { subject, stay in
      path.observe(from: subject, options: handler.options, for: isolation) {
        handler.handler(during: stay)
      }
    }
  }

  private func observe<Owner: LifecycleOwner>(
    while span: Lifecycle.Span, of owner: Owner,
    register: @escaping (Self, Stay) -> KeyValueObservation?
  ) -> LifecycleObservation {
    let (subject, owner, lifecycle) = (
      WeakReference(self), OwnerReference(owner), owner.lifecycle
    )
    let observation = LifecycleObservation(span, in: lifecycle, subject: subject) { stay in
      guard let subject = subject.target else { return .gone }
      if owner.target == nil { return .ownerIsGone(owner.type) }
      let token = register(unsafeDowncast(subject, to: Self.self), stay)
      guard let token else { return .nothing }
      return .registered(.init(end: { token.invalidate() }))
    }
    lifecycle.add(observation, of: type(of: self), for: owner)
    return observation
  }
}
