#if canImport(Combine) || OpenCombine
  public import KeyValueObservingCore

  extension KeyValueObservable {
    /// Returns a publisher of the value at a key path.
    ///
    /// The spelling is that of Foundation's `publisher(for:options:)`, which a subclass of `NSObject` has
    /// already. For when and where values are sent, and for demand, see ``KeyValueObservingPublisher``.
    /// The publisher retains the object; its subscriptions do not.
    ///
    /// - Parameters:
    ///   - keyPath: The property or path to observe.
    ///   - options: With `initial` the value is sent to each new subscriber, and the newest value
    ///     waits until it is requested. With `prior` the value before each change is sent as well.
    /// - Returns: A publisher that observes while it has subscribers.
    ///
    /// - Complexity: O(1) for a property, O(*n*) for a path of *n* keys, for each subscription.
    @_disfavoredOverload
    @inlinable
    public func publisher<Value>(
      for keyPath: KeyPath<Self, Value>,
      options: KeyValueObservation.Options = [.initial, .new]
    ) -> KeyValueObservingPublisher<Self, Value> {
      KeyValueObservingPublisher(object: self, keyPath: keyPath, options: options)
    }

    /// Returns a publisher of the changes of the value at a key path.
    ///
    /// See ``KeyValueChangePublisher``. The publisher retains the object; its subscriptions do not.
    ///
    /// - Parameters:
    ///   - keyPath: The property or path to observe.
    ///   - options: The values to include in changes, and which changes to send.
    /// - Returns: A publisher that observes while it has subscribers.
    ///
    /// - Complexity: O(1) for a property, O(*n*) for a path of *n* keys, for each subscription.
    @inlinable
    public func changePublisher<Value>(
      for keyPath: KeyPath<Self, Value>, options: KeyValueObservation.Options = .new
    ) -> KeyValueChangePublisher<Self, Value> {
      KeyValueChangePublisher(object: self, keyPath: keyPath, options: options)
    }
  }
#endif
