extension KeyValueObservable {
  /// Returns an async sequence of the changes of a property or key path.
  ///
  /// The elements are the changes that `observe` would deliver, in the same order (P10): with the
  /// requested values, the reason, and the element mutation of a collection. With
  /// ``KeyValueObservation/Options/initial`` the first element holds the current value. An element
  /// arrives after the change was made; with ``KeyValueObservation/Options/prior`` a prior
  /// notification, whose `isPrior` is true, precedes it.
  ///
  /// The observation is registered before this function returns, so no element is lost before the
  /// first `next()` (P41); by default elements wait in an unbounded buffer. The sequence ends when
  /// the task is cancelled or the object is deallocated, which is not an element (P33). The
  /// observation lasts until the sequence and its iterators are deinitialized. See
  /// ``KeyValueAsyncSequence`` for several consumers and for slow ones.
  ///
  /// ```swift
  /// for await change in article.changes(of: \.title, options: [.old, .new]) {
  ///   print(change.oldValue ?? "", "→", change.newValue ?? "")
  /// }
  /// ```
  ///
  /// If several threads set the property concurrently, the elements have the order of the
  /// notifications, which may differ from that of the assignments (P11).
  ///
  /// - Parameters:
  ///   - keyPath: The key path to observe.
  ///   - options: The values to include in the changes, and when to notify.
  ///   - bufferingPolicy: The elements to keep for a consumer that is slower than the changes, as
  ///     with `AsyncStream`.
  ///   - isolation: The actor on which this is called, if there is one. If values are not
  ///     `Sendable`, the sequence can be iterated there only.
  /// - Returns: A sequence of the changes.
  ///
  /// - Complexity: O(1) for a property, O(*n*) for a path of *n* keys; the same for each change.
  public func changes<Value>(
    of keyPath: KeyPath<Self, Value>, options: KeyValueObservation.Options = [.new],
    bufferingPolicy: AsyncStream<KeyValueChange<Value>>.Continuation.BufferingPolicy = .unbounded,
    isolation: isolated (any Actor)? = #isolation
  ) -> KeyValueAsyncSequence<KeyValueChange<Value>> {
    let multicast = Multicast<KeyValueChange<Value>>(bufferingPolicy, keepsLast: false)
    // Retained, so that a deallocation on another thread finds its way to the actor
    // (`WeakTargetObservation`).
    let queue = isolation.map { ActorQueue.of($0) }
    let observation = register(
      ObserverPipeline<Self, Value>(
        { _, change in multicast.send(change) }, options: options.subtracting(.initial),
        subjectDeallocated: { withExtendedLifetime(queue) { multicast.base.finish() } }),
      // The buffer may be filled on any thread, so that changes need not be handed over.
      at: keyPath, isolation: nil)
    if options.contains(.initial) {
      deliverInitial(options, of: observation, to: { multicast.begin(with: $1) }) {
        $0.presentValue(at: keyPath)
      }
    }
    return KeyValueAsyncSequence(multicast, lasting: observation)
  }
}
