#if RxSwift
  public import KeyValueObservingCore
  @preconcurrency public import RxSwift

  extension Reactive where Base: KeyValueObservable {
    /// Makes an observable each of whose subscriptions is a registration of its own.
    ///
    /// - Parameters:
    ///   - retainsBase: Whether the observable and its subscriptions keep the observed object.
    ///   - register: Registers at the object and returns the token that ends the subscription. An
    ///     error that it throws is the error of the stream.
    /// - Returns: The observable.
    @usableFromInline
    func observable<Element>(
      retainsBase: Bool = false,
      _ register: @escaping (Base, ElementSender<Element>) throws -> KeyValueObservation
    ) -> Observable<Element> {
      // Not a weak reference, which would slow the object down.
      let reference = WeakReference(base)
      let kept = retainsBase ? base : nil
      return Observable.create { observer in
        guard let base = reference.target.map({ unsafeDowncast($0, to: Base.self) }) else {
          observer.onCompleted()
          return Disposables.create()
        }
        do {
          let token = try register(base, ElementSender(observer))
          // The captures of the closure of `create` are released as soon as that has returned.
          return Disposables.create { [kept] in
            withExtendedLifetime(kept) { token.invalidate() }
          }
        } catch {
          observer.onError(error)
          return Disposables.create()
        }
      }
    }
  }

  extension KeyValueObservation.Options {
    /// The options of a stream of values: always the value, and never a prior notification, which
    /// has none.
    @inlinable
    var ofValues: Self { union(.new).subtracting(.prior) }
  }
#endif
