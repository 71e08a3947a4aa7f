#if GObject
  @_exported public import KeyValueObserving
#endif
