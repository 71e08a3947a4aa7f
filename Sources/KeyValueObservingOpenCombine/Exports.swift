#if canImport(Combine) || OpenCombine
  // Code that is being ported needs one import beside that of Combine.
  @_exported public import KeyValueObserving
#endif
