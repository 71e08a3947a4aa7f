extension KeyValueObservable {
  /// Returns an async sequence of the changes of a property or key path.
  ///
  /// Each element is what `observe` would call its closure with, in the same order (P10): with the
  /// values that `options` asks for, where on the path the change came from, and in which way the
  /// elements of a collection changed. With ``KeyValueObservation/Options/initial`` the first element
  /// is one that holds the value of now. An element arrives after the change was made; with
  /// ``KeyValueObservation/Options/prior`` there is one more for each change, before it, with
  /// `isPrior`.
  ///
  /// The sequence is registered before this returns, so nothing is lost between that and the first
  /// `next()` (P41); by default it waits in an unbounded buffer. The sequence ends when the task is
  /// cancelled or the object dies, of which there is no change (P33); the observation lasts until
  /// the sequence and its iterators are deinitialized. See ``KeyValueAsyncSequence`` for several
  /// consumers and for slow ones.
  ///
  /// ```swift
  /// for await change in article.changes(of: \.title, options: [.old, .new]) {
  ///   print(change.oldValue ?? "", "→", change.newValue ?? "")
  /// }
  /// ```
  ///
  /// Where several threads set the property at the same time, the order is that of telling, not
  /// that of setting (P11).
  ///
  /// - Parameters:
  ///   - keyPath: What to observe.
  ///   - options: What the changes shall hold, and whether there is a first one.
  ///   - bufferingPolicy: What is kept for a consumer that is slower than the changes, as with
  ///     `AsyncStream`.
  ///   - isolation: The actor on which this is called, if there is one. If values are not `Sendable`,
  ///     the sequence can be iterated there only.
  /// - Returns: A sequence of the changes.
  ///
  /// - Complexity: O(1) for a property, O(*n*) for a path of *n* links; the same for each change.
  public func changes<Value>(
    of keyPath: KeyPath<Self, Value>, options: KeyValueObservation.Options = [.new],
    bufferingPolicy: AsyncStream<KeyValueChange<Value>>.Continuation.BufferingPolicy = .unbounded,
    isolation: isolated (any Actor)? = #isolation
  ) -> KeyValueAsyncSequence<KeyValueChange<Value>> {
    let broadcast = Broadcast<KeyValueChange<Value>>(bufferingPolicy, keepsLast: false)
    // Kept, so that a death elsewhere finds its way to the actor (`DeathWatch`).
    let queue = isolation.map { ActorQueue.of($0) }
    let observation = register(
      Sink<Self, Value>(
        { _, change in broadcast.send(change) }, options: options.subtracting(.initial),
        subjectDied: { withExtendedLifetime(queue) { broadcast.finish() } }),
      // The buffer may be filled on any thread, so that changes need not be handed over.
      at: keyPath, isolation: nil)
    if options.contains(.initial) {
      deliverInitial(of: keyPath, options, of: observation) { _, change in
        broadcast.begin(with: change)
      }
    }
    return KeyValueAsyncSequence(broadcast, lasting: observation)
  }
}
