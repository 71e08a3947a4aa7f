/// An observer that receives the reason for each change, including deallocation of its source.
///
/// The observation ends when ``cancel()`` is called, when the observer is deinitialized, or when
/// the source is deallocated. Only in the last case does the callback receive
/// ``KeyValueChangeReason/sourceDeleted``, once, with an empty change (P33). The source is not
/// retained. A token that was stored with ``store(in:)`` keeps the observation alive without the
/// observer.
///
/// The semantics are those of `KeyValueObserver` of CwlUtils.
public final class KeyValueObserver: Sendable {
  @usableFromInline
  let observation: KeyValueObservation

  /// Observes the value at a key path.
  ///
  /// `callback` is called synchronously after each change, on the thread that makes it and before
  /// its setter returns; if the observer is created on an actor, on that actor (P40). By default,
  /// an initial change is delivered before the initializer returns. The observation lasts until
  /// ``cancel()`` is called, or the observer or the source is deallocated.
  ///
  /// - Parameters:
  ///   - source: The object from which the path starts.
  ///   - keyPath: The key path to observe.
  ///   - options: The values to include in the change, and when to notify.
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `@Sendable` closure.
  ///   - callback: Receives the change, and its reason once more.
  ///
  /// - Complexity: O(1) for a property, O(*n*) for a path of *n* keys.
  @inlinable
  public init<Source: KeyValueObservable, Value>(
    source: Source, keyPath: KeyPath<Source, Value>,
    options: KeyValueObservation.Options = [.new, .initial],
    isolation: isolated (any Actor)? = #isolation,
    callback: @escaping (_ change: KeyValueChange<Value>, _ reason: KeyValueChangeReason) -> Void
  ) {
    observation = source.register(
      Self.pipeline(options, callback), at: keyPath, isolation: isolation)
  }

  /// Observes the value at a key path given as a string.
  ///
  /// Timing and lifetime are those of the initializer that takes a typed key path. The values are
  /// `Any?`.
  ///
  /// - Parameters:
  ///   - source: The object to observe.
  ///   - keyPath: Keys, separated by dots.
  ///   - options: The values to include in the change, and when to notify.
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `@Sendable` closure.
  ///   - callback: The handler, called with the change and its reason.
  /// - Throws: The errors of `observe(_:options:changeHandler:)` with a string. Nothing is
  ///   registered then.
  ///
  /// - Complexity: O(*n*) for *n* keys.
  public init<Source: KeyValueObservable>(
    source: Source, keyPath: String,
    options: KeyValueObservation.Options = [.new, .initial],
    isolation: isolated (any Actor)? = #isolation,
    callback: @escaping (_ change: KeyValueChange<Any?>, _ reason: KeyValueChangeReason) -> Void
  ) throws(KeyValueCodingError) {
    let path = try StringPath(keyPath, from: source)
    observation = source.register(Self.pipeline(options, callback), at: path, isolation: isolation)
  }

  /// Ends the observation.
  ///
  /// Calling it again does nothing. It may be called on any thread and inside any callback. After
  /// it returns on the thread that delivers a change, the callback is never called again; on
  /// another thread, at most a call that has already begun finishes (P31). The callback is released
  /// as by ``KeyValueObservation/invalidate()``.
  public func cancel() {
    observation.invalidate()
  }

  /// Whether the observation lasts: it has not been cancelled, and the source has not been deallocated.
  ///
  /// It may be read on any thread. Another thread may end the observation as soon as this has returned.
  ///
  /// - Complexity: O(1).
  public var isActive: Bool { observation.isActive }

  /// Stores the token of the observation in a set, beside those of other observations.
  ///
  /// The observation then lasts as long as the token is kept, whether or not the observer is, or until
  /// ``cancel()``.
  ///
  /// - Parameter set: The set that keeps the token.
  public func store(in set: inout Set<KeyValueObservation>) {
    observation.store(in: &set)
  }

  /// Stores the token of the observation at the end of a collection, beside those of other observations.
  ///
  /// The observation then lasts as long as the token is kept, whether or not the observer is, or until
  /// ``cancel()``.
  ///
  /// - Parameter collection: The collection that keeps the token.
  public func store<Tokens: RangeReplaceableCollection>(in collection: inout Tokens)
  where Tokens.Element == KeyValueObservation {
    observation.store(in: &collection)
  }

  @inlinable
  static func pipeline<Source: KeyValueObservable, Value>(
    _ options: KeyValueObservation.Options,
    _ callback: @escaping (KeyValueChange<Value>, KeyValueChangeReason) -> Void
  ) -> ObserverPipeline<Source, Value> {
    ObserverPipeline(
      { _, change in callback(change, change.reason) }, options: options,
      subjectDeallocated: { callback(KeyValueChange(reason: .sourceDeleted), .sourceDeleted) })
  }
}
