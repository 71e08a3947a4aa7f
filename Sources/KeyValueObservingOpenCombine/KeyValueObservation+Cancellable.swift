#if canImport(Combine) || OpenCombine
  public import KeyValueObservingCore
  #if canImport(Combine)
    @preconcurrency public import Combine
  #else
    @preconcurrency public import OpenCombine
  #endif

  /// Tokens may be kept beside cancellables: `token.store(in: &cancellables)`.
  extension KeyValueObservation: Cancellable {
    /// Ends the observation, as ``invalidate()`` does.
    public func cancel() { invalidate() }
  }

  /// Observers may be kept beside cancellables: `observer.store(in: &cancellables)`.
  extension KeyValueObserver: Cancellable {}

  extension AnyCancellable {
    /// Stores the cancellable in a set of tokens.
    ///
    /// The set keeps a `KeyValueObservation` in its place, which cancels it when it is invalidated or
    /// deinitialized.
    ///
    /// - Parameter set: The set that keeps the token.
    public func store(in set: inout Set<KeyValueObservation>) {
      // Combine's cancellables may be cancelled on any thread.
      nonisolated(unsafe) let cancellable = self
      set.insert(KeyValueObservation { cancellable.cancel() })
    }
  }
#endif
