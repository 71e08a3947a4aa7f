extension KeyValueObservable {
  // Inlinable, so that what receives changes is specialized for the value (row: values(of:)).
  /// Returns an async sequence of the current value of a property or key path and of its later
  /// values.
  ///
  /// One element follows for each change, whether the value differs or not (P9). The observation is
  /// registered before this function returns, so no element is lost before the first `next()`
  /// (P41); by default elements wait in an unbounded buffer. Elements arrive after the change, in
  /// the order in which `observe` would deliver them, on the actor that iterates; no part of the
  /// loop runs inside the setter. The sequence ends when the task is cancelled or the object is
  /// deallocated. The observation lasts until the sequence and its iterators are deinitialized. See
  /// ``KeyValueAsyncSequence`` for several consumers and for slow ones.
  ///
  /// ```swift
  /// for await name in article.values(of: \.author?.name) {
  ///   label.text = name ?? "nobody"
  /// }
  /// ```
  ///
  /// A key path that unwraps an object (`\.author!.name`) has no value while that is nil, and so no
  /// element (P26).
  ///
  /// The last element is the property's final value, unless `bufferingPolicy` drops it. A sequence that is
  /// made in a prior notification begins with the value before that change, and goes on with the next
  /// one (P13). If several
  /// threads set the property concurrently, the last notification need not come from the last
  /// assignment; the current value is then sent once more, provided that values of the type can be
  /// compared, as `Equatable` values or objects.
  ///
  /// The function is used like `values` of Combine's publishers and `Observations` of the module
  /// Observation. Those drop values if the consumer is too slow; this function drops none by
  /// default.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to observe.
  ///   - bufferingPolicy: The elements to keep for a consumer that is slower than the changes, as
  ///     with `AsyncStream`.
  ///   - isolation: The actor on which this is called, if there is one. If values are not
  ///     `Sendable`, the sequence can be iterated there only.
  /// - Returns: A sequence of the values.
  ///
  /// - Complexity: O(1) for a property, O(*n*) for a path of *n* keys; the same for each change.
  @inlinable
  public func values<Value>(
    of keyPath: KeyPath<Self, Value>,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    isolation: isolated (any Actor)? = #isolation
  ) -> KeyValueAsyncSequence<Value> {
    values(
      bufferingPolicy, isolation, reading: Self.reader(of: keyPath),
      // The buffer may be filled on any thread, so that changes need not be handed over.
      registering: { register($0, at: keyPath, isolation: nil) })
  }
}
