internal import KeyValueObservingCore

extension KeyValueObserver {
  /// Observes the value at a key path as a type, with the reason for each change.
  ///
  /// Values are converted as by `observe(_:as:options:isolation:changeHandler:)`. When, where and for how
  /// long `callback` is called is as with the initializer without a type; the change of
  /// ``KeyValueChangeReason/sourceDeleted`` has no values.
  ///
  /// - Parameters:
  ///   - source: The object from which the path starts. It is not retained.
  ///   - keyPath: Keys, separated by dots.
  ///   - type: The type of the values: the property's own, another type of number, a type with such
  ///     a raw value, or a ``KVORepresentable`` type.
  ///   - options: The values to include in the change, and whether to deliver an initial
  ///     notification.
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `@Sendable` closure.
  ///   - callback: Receives the change, and its reason once more.
  /// - Throws: The errors of `observe(_:options:changeHandler:)` with a string. Nothing is
  ///   registered then.
  ///
  /// - Complexity: O(*n*) for *n* keys.
  public convenience init<Source: KeyValueObservable, Value>(
    source: Source, keyPath: String, as type: Value.Type,
    options: KeyValueObservation.Options = [.new, .initial],
    isolation: isolated (any Actor)? = #isolation,
    callback: @escaping (_ change: KeyValueChange<Value?>, _ reason: KeyValueChangeReason) -> Void
  ) throws(KeyValueCodingError) {
    let representation = Representation<Value>(observing: keyPath, of: Source.self)
    try self.init(source: source, keyPath: keyPath, options: options, isolation: isolation) {
      change, reason in
      callback(change.mapValues { representation.value(of: $0) }, reason)
    }
  }

  /// Observes the value at a key path as a type, with a callback that any thread may call.
  ///
  /// `callback` is called on the thread that makes the change, before its setter returns (P8), and
  /// belongs to no actor.
  ///
  /// - Parameters:
  ///   - source: The object to observe.
  ///   - keyPath: Keys, separated by dots.
  ///   - type: The type of the value.
  ///   - options: The values to include in the change, and when to notify.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - callback: The handler, called with the change and its reason.
  /// - Throws: The errors of `observe(_:options:isolation:changeHandler:)` with a string. Nothing
  ///   is registered then.
  ///
  /// - Complexity: O(*n*) for *n* keys.
  public convenience init<Source: KeyValueObservable, Value>(
    source: Source, keyPath: String, as type: Value.Type,
    options: KeyValueObservation.Options = [.new, .initial], isolation: KeyValueNonisolated?,
    callback:
      @escaping @Sendable (_ change: KeyValueChange<Value?>, _ reason: KeyValueChangeReason) -> Void
  ) throws(KeyValueCodingError) {
    try self.init(
      source: source, keyPath: keyPath, as: type, options: options, callback: callback)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - source: The object to observe.
  ///   - keyPath: Keys, separated by dots.
  ///   - type: The type of the value.
  ///   - options: The values to include in the change, and when to notify.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - callback: The handler, called with the change and its reason.
  /// - Throws: As the initializer without `isolation` does.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  public convenience init<Source: KeyValueObservable, Value>(
    source: Source, keyPath: String, as type: Value.Type,
    options: KeyValueObservation.Options = [.new, .initial],
    isolation: (any KeyValueNonisolatedActor)?,
    callback:
      sending @escaping (_ change: KeyValueChange<Value?>, _ reason: KeyValueChangeReason) -> Void
  ) throws(KeyValueCodingError) {
    try self.init(
      source: source, keyPath: keyPath, as: type, options: options, callback: callback)
  }
}
