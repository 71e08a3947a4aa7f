extension KeyValueObservable {
  /// Returns an async sequence of the value of a property or key path and of each that it changes to.
  ///
  /// The first element is the value that it has now, and one follows for each change, equal or not
  /// (P9). The sequence is registered before this returns, so nothing is lost between that and the
  /// first `next()` (P41); by default it waits in an unbounded buffer. Elements arrive after the
  /// change, in the order in which `observe` would tell of them, on the actor that iterates; no part
  /// of the loop runs in the setter. The sequence ends when the task is cancelled or the object
  /// dies; the observation lasts until the sequence and its iterators are deinitialized. See
  /// ``KeyValueAsyncSequence`` for several consumers and for slow ones.
  ///
  /// ```swift
  /// for await name in article.values(of: \.author?.name) {
  ///   label.text = name ?? "nobody"
  /// }
  /// ```
  ///
  /// The last element is the value that the property came to, unless `bufferingPolicy` loses it.
  /// Where several threads set the property at the same time, who sets last need not be who tells
  /// last; the value that the property has is then sent once more, if values of the type can be
  /// compared: if they are `Equatable` or objects.
  ///
  /// It is used like `values` of Combine's publishers and `Observations` of the module Observation,
  /// which give up values that a consumer is too slow for; this gives up none by default.
  ///
  /// - Parameters:
  ///   - keyPath: What to observe.
  ///   - bufferingPolicy: What is kept for a consumer that is slower than the changes, as with
  ///     `AsyncStream`.
  ///   - isolation: The actor on which this is called, if there is one. If values are not `Sendable`,
  ///     the sequence can be iterated there only.
  /// - Returns: A sequence of the values.
  ///
  /// - Complexity: O(1) for a property, O(*n*) for a path of *n* links; the same for each change.
  public func values<Value>(
    of keyPath: KeyPath<Self, Value>,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    isolation: isolated (any Actor)? = #isolation
  ) -> KeyValueAsyncSequence<Value> {
    values(
      bufferingPolicy, isolation, reading: { $0[keyPath: keyPath] },
      // The buffer may be filled on any thread, so that changes need not be handed over.
      registering: { register($0, at: keyPath, isolation: nil) })
  }
}
