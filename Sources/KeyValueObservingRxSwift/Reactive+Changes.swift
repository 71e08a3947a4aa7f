#if RxSwift
  public import KeyValueObservingCore
  @preconcurrency public import RxSwift

  extension Reactive where Base: KeyValueObservable {
    /// Returns an observable of the changes of the value at a key path, which RxCocoa does not have.
    ///
    /// Elements are the changes that `observe(_:options:isolation:changeHandler:)` receives: with old
    /// values, prior notifications, indexes of inserted and removed elements, and reasons. They are
    /// sent on the thread that makes the change, before its setter returns (P8), one at a time: one that
    /// comes while another is being sent follows it.
    ///
    /// Each subscription is a registration of its own. The observable does not retain the object and
    /// completes when that is deallocated. A subscription after that completes at once.
    ///
    /// - Parameters:
    ///   - keyPath: The property or path to observe.
    ///   - options: The values to include in the change, and whether to send an initial one.
    /// - Returns: An observable that observes while it has subscribers.
    ///
    /// - Complexity: O(1) for a property, O(*n*) for a path of *n* keys, for each subscription.
    @inlinable
    public func changes<Value>(
      of keyPath: KeyPath<Base, Value>, options: KeyValueObservation.Options = .new
    ) -> Observable<KeyValueChange<Value>> {
      observable { base, sender in
        base.stream(
          of: keyPath, options: options, send: { sender.send($1) }, complete: sender.complete)
      }
    }

    /// Returns an observable of the changes of the value at a key path that is given as a string.
    ///
    /// Everything is as with a typed key path; the values are `Any?`. A key path that cannot work is the
    /// error of the stream, a ``KeyValueCodingError``, when it is subscribed to (P6).
    ///
    /// - Parameters:
    ///   - keyPath: Keys, separated by dots.
    ///   - options: The values to include in the change, and whether to send an initial one.
    /// - Returns: An observable that observes while it has subscribers.
    ///
    /// - Complexity: O(*n*) for *n* keys, for each subscription.
    public func changes(
      of keyPath: String, options: KeyValueObservation.Options = .new
    ) -> Observable<KeyValueChange<Any?>> {
      observable { base, sender in
        try base.stream(
          of: keyPath, options: options, send: { sender.send($1) }, complete: sender.complete)
      }
    }
  }
#endif
