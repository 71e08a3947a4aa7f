extension KeyValueObservable {
  /// Returns an async sequence of the value at a key path that is given as a string, and of each value
  /// that it changes to.
  ///
  /// The first element is the present value, and one follows for each change. When elements arrive, what
  /// is kept for a slow consumer, and how long the observation lasts is as with
  /// `values(of:bufferingPolicy:isolation:)`. The elements are `Any?`, never doubly wrapped, so the
  /// sequence is iterated where it was made.
  ///
  /// ```swift
  /// for await title in try document.values(forKeyPath: "chapter.title") {
  ///   print(title as? String ?? "untitled")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - bufferingPolicy: The elements to keep for a consumer that is slower than the changes, as with
  ///     `AsyncStream`.
  ///   - isolation: The actor on which this is called, if there is one.
  /// - Returns: The sequence, which keeps the observation.
  /// - Throws: The errors of `observe(_:options:isolation:changeHandler:)` with a string. Nothing is
  ///   registered then.
  /// - Complexity: O(*n*) for *n* keys; the same for each change.
  public func values(
    forKeyPath keyPath: String,
    bufferingPolicy: AsyncStream<Any?>.Continuation.BufferingPolicy = .unbounded,
    isolation: isolated (any Actor)? = #isolation
  ) throws(KeyValueCodingError) -> KeyValueAsyncSequence<Any?> {
    let path = try StringPath(keyPath, from: self)
    return values(
      bufferingPolicy, isolation, reading: { $1(path.value(from: $0)) },
      registering: { register($0, at: path, isolation: nil) })
  }

  /// Returns an async sequence of the changes of the value at a key path that is given as a string.
  ///
  /// When elements arrive, what is kept for a slow consumer, and how long the observation lasts is as
  /// with `changes(of:options:bufferingPolicy:isolation:)`. The values are `Any?`, never doubly wrapped,
  /// so the sequence is iterated where it was made.
  ///
  /// - Parameters:
  ///   - keyPath: Keys, separated by dots.
  ///   - options: The values to include in changes, and whether to begin with an initial one.
  ///   - bufferingPolicy: The elements to keep for a consumer that is slower than the changes, as with
  ///     `AsyncStream`.
  ///   - isolation: The actor on which this is called, if there is one.
  /// - Returns: The sequence, which keeps the observation.
  /// - Throws: The errors of `observe(_:options:isolation:changeHandler:)` with a string. Nothing is
  ///   registered then.
  /// - Complexity: O(*n*) for *n* keys; the same for each change.
  public func changes(
    forKeyPath keyPath: String, options: KeyValueObservation.Options = [.new],
    bufferingPolicy: AsyncStream<KeyValueChange<Any?>>.Continuation.BufferingPolicy = .unbounded,
    isolation: isolated (any Actor)? = #isolation
  ) throws(KeyValueCodingError) -> KeyValueAsyncSequence<KeyValueChange<Any?>> {
    let path = try StringPath(keyPath, from: self)
    let multicast = Multicast<KeyValueChange<Any?>>(bufferingPolicy, keepsLast: false)
    // Retained, so that a deallocation elsewhere finds its way to the actor (`WeakTargetObservation`).
    let queue = isolation.map { ActorQueue.of($0) }
    let observation = register(
      ObserverPipeline<Self, Any?>(
        { _, change in multicast.send(change) }, options: options.subtracting(.initial),
        subjectDeallocated: { withExtendedLifetime(queue) { multicast.base.finish() } }),
      at: path, isolation: nil)
    if options.contains(.initial) {
      let value = ThreadState.pauseRecording {
        options.contains(.new) ? path.value(from: self) : nil
      }
      multicast.begin(
        with: KeyValueChange(newValue: options.contains(.new) ? .some(value) : nil))
    }
    return KeyValueAsyncSequence(multicast, lasting: observation)
  }

  /// Registers a sequence of values.
  ///
  /// - Parameters:
  ///   - bufferingPolicy: The elements to keep for a slow consumer.
  ///   - actor: The actor on which the sequence is made, if there is one.
  ///   - read: Calls a closure with the present value, if there is one.
  ///   - register: Registers on the thread of each change.
  /// - Returns: The sequence, which keeps the observation.
  @usableFromInline
  func values<Value>(
    _ bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy, _ actor: (any Actor)?,
    reading read: @escaping (Self, (Value) -> Void) -> Void,
    registering register: (ObserverPipeline<Self, Value>) -> KeyValueObservation
  ) -> KeyValueAsyncSequence<Value> {
    let multicast = Multicast<Value>(bufferingPolicy, keepsLast: true)
    let areSame = sameness(of: Value.self)
    // Kept, so that a deallocation elsewhere finds its way to the actor (`WeakTargetObservation`).
    let queue = actor.map { ActorQueue.of($0) }
    let observation = register(
      ObserverPipeline<Self, Value>(
        { subject, change in
          func send(_ value: Value) {
            guard let number = multicast.send(value), let areSame else { return }
            // The change of another thread, which set the property after this one, may have come before.
            read(subject) { latest in
              if !areSame(latest, value) { multicast.send(latest, ifNothingFollowed: number) }
            }
          }
          ThreadState.pauseRecording {
            if change.kind != .setting {
              read(subject, send)
            } else if let value = change.newValue {
              send(value)
            } else {
              multicast.base.forgetLast()
            }
          }
        }, options: .new,
        subjectDeallocated: { withExtendedLifetime(queue) { multicast.base.finish() } }))
    ThreadState.pauseRecording { read(self) { multicast.begin(with: $0) } }
    return KeyValueAsyncSequence(multicast, lasting: observation)
  }
}
