#if RxSwift
  public import KeyValueObservingCore
  @preconcurrency public import RxSwift

  /// Tokens may be kept beside disposables: `token.disposed(by: bag)`.
  extension KeyValueObservation: Disposable {
    /// Ends the observation, as ``invalidate()`` does.
    public func dispose() { invalidate() }
  }

  /// Observers may be kept beside disposables: `observer.disposed(by: bag)`.
  extension KeyValueObserver: Disposable {
    /// Ends the observation, as ``cancel()`` does.
    public func dispose() { cancel() }
  }

  extension Disposable {
    /// Stores the disposable in a set of tokens.
    ///
    /// The set keeps a `KeyValueObservation` in its place, which disposes of it when it is invalidated or
    /// deinitialized.
    ///
    /// - Parameter set: The set that keeps the token.
    public func store(in set: inout Set<KeyValueObservation>) {
      // RxSwift's disposables may be disposed of on any thread.
      nonisolated(unsafe) let disposable: any Disposable = self
      set.insert(KeyValueObservation { disposable.dispose() })
    }
  }
#endif
