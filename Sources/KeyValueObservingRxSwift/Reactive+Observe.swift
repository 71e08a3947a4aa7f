#if RxSwift
  public import KeyValueObservingCore
  public import KeyValueObservingFoundation
  @preconcurrency public import RxSwift

  extension Reactive where Base: KeyValueObservable {
    /// Returns an observable of the value at a key path.
    ///
    /// Each subscription is a registration of its own, made when it subscribes and ended when it is
    /// disposed, on any thread and inside `onNext`. With `initial` the value is sent before
    /// `subscribe` returns. Elements are sent on the thread that makes the change, before its setter
    /// returns (P8), one at a time: one that comes while another is being sent follows it. Prior
    /// notifications are left out; after an edit of a collection by proxy the element is the whole
    /// collection. A key path that unwraps an object sends nothing while that is nil (P26).
    ///
    /// The observable does not retain the object and completes when that is deallocated. A
    /// subscription after that completes at once.
    ///
    /// - Parameters:
    ///   - keyPath: The property or path to observe.
    ///   - options: `initial` and `distinct` are respected; values are always sent.
    /// - Returns: An observable that observes while it has subscribers.
    ///
    /// - Complexity: O(1) for a property, O(*n*) for a path of *n* keys, for each subscription.
    @inlinable
    public func observe<Value>(
      _ keyPath: KeyPath<Base, Value>, options: KeyValueObservation.Options = [.new, .initial]
    ) -> Observable<Value> {
      observable { base, sender in
        base.stream(
          of: keyPath, options: options.ofValues,
          send: { base, change in
            if let value = base.wholeValue(of: change, at: keyPath) { sender.send(value) }
          },
          complete: sender.complete)
      }
    }

    /// Returns an observable of the value at a key path that is given as a string, as a type.
    ///
    /// When and where elements are sent is as with a typed key path. Values are converted as by
    /// `observe(_:as:options:isolation:changeHandler:)`: an element is nil where the path leads
    /// nowhere, where the property is nil, and where no value of the type has what it holds, which is
    /// reported in a diagnostic if it is of another type altogether. As in RxCocoa it is nil itself if
    /// the type is an optional, and not an optional that holds nil, so `compactMap { $0 }` leaves it out.
    ///
    /// A key path that cannot work is the error of the stream, a ``KeyValueCodingError``, when it is
    /// subscribed to (P6). An object without the key that comes into a link later is nil and one
    /// diagnostic, and not an error as in RxCocoa: the path may lead on again.
    ///
    /// - Parameters:
    ///   - type: The type of the elements: the property's own, another type of number, a type with
    ///     such a raw value, or a `KVORepresentable` type.
    ///   - keyPath: Keys, separated by dots.
    ///   - options: `initial` and `distinct` are respected; values are always sent.
    ///   - retainSelf: Whether the observable keeps the object, and each subscription until it is
    ///     disposed. If it is false, the observable completes when the object is deallocated.
    /// - Returns: An observable that observes while it has subscribers.
    ///
    /// - Complexity: O(*n*) for *n* keys, for each subscription.
    @inlinable
    public func observe<Element>(
      _ type: Element.Type, _ keyPath: String,
      options: KeyValueObservation.Options = [.new, .initial], retainSelf: Bool = true
    ) -> Observable<Element?> {
      observable(retainsBase: retainSelf) { base, sender in
        try base.stream(of: keyPath, as: type, options: options.ofValues, sender) {
          sender.complete()
        }
      }
    }

    /// Returns an observable of the value at a key path that does not retain the object, and whose last
    /// element is nil.
    ///
    /// Everything is as with `observe(_:_:options:retainSelf:)`, but for the end: when the object is
    /// deallocated, nil is sent and the observable completes. A subscription after that completes at
    /// once. Objects on the path may be in weak properties; their deallocation is a change to nil (P27).
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - keyPath: Keys, separated by dots.
    ///   - options: `initial` and `distinct` are respected; values are always sent.
    /// - Returns: An observable that observes while it has subscribers.
    ///
    /// - Complexity: O(*n*) for *n* keys, for each subscription.
    @inlinable
    public func observeWeakly<Element>(
      _ type: Element.Type, _ keyPath: String,
      options: KeyValueObservation.Options = [.new, .initial]
    ) -> Observable<Element?> {
      observable { base, sender in
        try base.stream(of: keyPath, as: type, options: options.ofValues, sender) {
          sender.send(nil)
          sender.complete()
        }
      }
    }

    /// An observable that sends one element when the object has been deallocated, and completes.
    ///
    /// They are sent on the thread that releases the last reference, after the object's `deinit` (P33).
    /// The observable does not retain the object. A subscription after that sends and completes at once.
    public var deallocated: Observable<Void> {
      let reference = WeakReference(base)
      return Observable.create { observer in
        guard let base = reference.target.map({ unsafeDowncast($0, to: Base.self) }) else {
          observer.onNext(())
          observer.onCompleted()
          return Disposables.create()
        }
        let sender = ElementSender(observer)
        let token = base.onDeinit(isolation: nil) {
          sender.send(())
          sender.complete()
        }
        return Disposables.create { token.invalidate() }
      }
    }
  }

  extension KeyValueObservable {
    /// Observes a key path as a type, whose values are sent whole.
    @inlinable
    func stream<Element>(
      of keyPath: String, as _: Element.Type, options: KeyValueObservation.Options,
      _ sender: ElementSender<Element?>, complete: @escaping () -> Void
    ) throws(KeyValueCodingError) -> KeyValueObservation {
      // Values of a key's own type need not be erased and cast (row: rx.observe of a string).
      if let typed = self.keyPath(forKey: keyPath, as: Element.self) {
        let isOptional = Element.self is any ExpressibleByNilLiteral.Type
        return stream(
          of: typed, options: options,
          send: {
            let value = $1.wholeValue($0[keyPath: typed])
            // A nil of the type's own would not be the element nil.
            sender.send(isOptional && flatten(value) == nil ? nil : value)
          }, complete: complete)
      }
      if let typed = self.keyPath(forKey: keyPath, as: Element?.self) {
        return stream(
          of: typed, options: options,
          send: { sender.send($1.wholeValue($0[keyPath: typed]) ?? nil) }, complete: complete)
      }
      let representation = Representation<Element>(observing: keyPath, of: Self.self)
      return try stream(
        of: keyPath, options: options,
        send: { subject, change in
          let value = change.wholeValue(try? subject.value(forKeyPath: keyPath))
          sender.send(representation.value(of: value ?? nil))
        }, complete: complete)
    }
  }
#endif
