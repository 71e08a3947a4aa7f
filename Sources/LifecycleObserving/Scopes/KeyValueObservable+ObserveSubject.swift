internal import KeyValueObservingCore

extension KeyValueObservable {
  /// Observes the value at a key path of an object that an owner has, while the owner is in a span of
  /// its lifecycle.
  ///
  /// The object may be missing, come later, or be replaced by another one: `subject` is called at
  /// each entry, after each move inside the span, and when an observable property has changed that
  /// it read. If it returns another object, the observation of the former one ends and the new one
  /// is observed from then on, with an `initial` change if that is requested (P84). It is called on
  /// the thread that sets such a property, so properties that it reads should be set where the
  /// owner is used.
  ///
  ///     Scroller.observe(\.contentSize, while: .presented, of: screen, subject: \.scroller) {
  ///       screen, change in screen.scrollToStart()
  ///     }
  ///
  /// Everything else is as with `observe(_:while:of:options:changeHandler:)` of an object. An owner that
  /// is observable itself can observe the path instead, `\.scroller?.contentSize`; its values are then
  /// optional, and a replaced object is a change.
  ///
  /// - Parameters:
  ///   - keyPath: The property or path to observe, from the object on.
  ///   - span: The part of the lifecycle during which to observe.
  ///   - owner: The object whose lifecycle it is.
  ///   - subject: Returns the object to observe, or nil while there is none. It is given the owner,
  ///     so that it need not capture it.
  ///   - options: The values to include in the change, and whether to deliver an initial
  ///     notification.
  ///   - deliver: Whether to call the handler at a later moment.
  ///   - isolation: The actor to which the observation belongs (P40): the caller's, if there is
  ///     one. Passing nil takes `@Sendable` closures.
  ///   - changeHandler: Receives the owner and the change.
  /// - Returns: The observation, which can be ended early and need not be kept.
  ///
  /// - Complexity: O(1), and the cost of registering at each entry.
  @discardableResult
  public static func observe<Owner: LifecycleOwner, Value>(
    _ keyPath: KeyPath<Self, Value>, while span: Lifecycle.Span, of owner: Owner,
    subject: @escaping (Owner) -> Self?, options: KeyValueObservation.Options = [],
    deliver: LifecycleDelivery = .immediate, isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Owner, KeyValueChange<Value>) -> Void
  ) -> LifecycleObservation {
    let handler = ScopedHandler(owner, options, deliver, changeHandler)
    return observe(while: span, of: owner, subject: subject, for: isolation) { subject, stay in
      subject.observe(
        keyPath, options: handler.options, for: isolation,
        changeHandler: handler.handler(during: stay))
    }
  }

  /// Observes the value at a key path, given as a string, of an object that an owner has, while the
  /// owner is in a span of its lifecycle.
  ///
  /// Timing and lifetime are those of the function that takes a typed key path. A path that cannot
  /// work is rejected on registration: it is checked against the object that is there, or else
  /// against the class. One that turns out to be impossible for a later object is reported in one
  /// diagnostic.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - span: The part of the lifecycle during which to observe.
  ///   - owner: The object whose lifecycle it is.
  ///   - subject: Returns the object to observe, or nil while there is none.
  ///   - options: The values to include in the change, and whether to deliver an initial
  ///     notification.
  ///   - deliver: Whether to call the handler at a later moment.
  ///   - isolation: The actor to which the observation belongs (P40): the caller's, if there is
  ///     one. Passing nil takes `@Sendable` closures.
  ///   - changeHandler: Receives the owner and the change.
  /// - Returns: The observation, which can be ended early and need not be kept.
  /// - Throws: The errors of `observe(_:options:changeHandler:)` with a string. Nothing is kept
  ///   then.
  ///
  /// - Complexity: O(*n*) for *n* keys, and the cost of registering at each entry.
  @discardableResult
  public static func observe<Owner: LifecycleOwner>(
    _ keyPath: String, while span: Lifecycle.Span, of owner: Owner,
    subject: @escaping (Owner) -> Self?, options: KeyValueObservation.Options = [],
    deliver: LifecycleDelivery = .immediate, isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Owner, KeyValueChange<Any?>) -> Void
  ) throws(KeyValueCodingError) -> LifecycleObservation {
    try checkKeyPath(keyPath, from: subject(owner))
    let handler = ScopedHandler(owner, options, deliver, changeHandler)
    let path = ScopedKeyPath(keyPath, while: span, of: owner)
    return observe(while: span, of: owner, subject: subject, for: isolation) { subject, stay in
      path.observe(from: subject, options: handler.options, for: isolation) {
        handler.handler(during: stay)
      }
    }
  }

  private static func observe<Owner: LifecycleOwner>(
    while span: Lifecycle.Span, of owner: Owner, subject: @escaping (Owner) -> Self?,
    for actor: (any Actor)?, register: @escaping (Self, Stay) -> KeyValueObservation?
  ) -> LifecycleObservation {
    let (reference, lifecycle) = (OwnerReference(owner), owner.lifecycle)
    let source = SubjectSource(owner, subject)
    let observation = LifecycleObservation(span, in: lifecycle) { stay in
      if reference.target == nil { return .ownerIsGone(reference.type) }
      let follower = SubjectFollower(during: stay, source, register: register)
      follower.begin(for: actor)
      return .registered(.init(update: source.lifecycleDidMove, end: follower.end))
    }
    lifecycle.add(observation, of: Self.self, for: reference)
    return observation
  }
}
