#if RxSwift
  // Code that is being ported needs one import beside RxSwift.
  @_exported public import KeyValueObserving
#endif
