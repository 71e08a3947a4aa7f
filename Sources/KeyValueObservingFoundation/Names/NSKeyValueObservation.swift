// Where Foundation has these names, ours step aside. The shapes are the same as the library's own, so
// there is nothing to convert, and tokens of both spellings go into one set.
#if !canImport(ObjectiveC)
  /// Keeps an observation alive: the library's token under Cocoa's name.
  ///
  /// The observation lasts until the returned token is invalidated or deinitialized.
  public typealias NSKeyValueObservation = KeyValueObservation

  /// What an observer wants to hear, and when: the library's options under Cocoa's name, with the
  /// same raw values.
  public typealias NSKeyValueObservingOptions = KeyValueObservation.Options

  /// How a property changed: the library's kinds under Cocoa's name, with the same raw values.
  public typealias NSKeyValueChange = KeyValueChangeKind

  /// What is done to the members of a set: the library's kinds under Cocoa's name, with the same raw
  /// values.
  public typealias NSKeyValueSetMutationKind = KeyValueSetMutationKind
#endif
