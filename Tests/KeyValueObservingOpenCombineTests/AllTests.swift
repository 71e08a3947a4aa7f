#if canImport(Combine) || OpenCombine
  import Testing

  /// One after the other, since some tests listen to the diagnostics of the whole process.
  @Suite(.serialized)
  enum AllTests {}
#endif
