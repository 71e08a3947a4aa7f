#if RxSwift
  public import KeyValueObservingCore
  public import RxSwift

  extension KeyValueObservable {
    /// Reactive extensions: observables of properties, and a binder for each settable property.
    ///
    /// A subclass of `NSObject` has RxSwift's own `rx`, which offers the same.
    @_disfavoredOverload
    public var rx: Reactive<Self> {
      get { Reactive(self) }
      // Lets an extension of `Reactive` have settable properties, as RxSwift's own `rx` does.
      set {}
    }
  }
#endif
