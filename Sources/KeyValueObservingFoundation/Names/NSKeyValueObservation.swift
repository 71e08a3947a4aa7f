// If Foundation has these names, those of the library are not declared. The types are the library's
// own, so nothing has to be converted, and tokens of both names go into one set.
#if !canImport(ObjectiveC)
  /// A token that ends its observation when it is deinitialized: the library's token under Cocoa's
  /// name.
  ///
  /// The observation lasts until the token is invalidated or deinitialized.
  public typealias NSKeyValueObservation = KeyValueObservation

  /// Options that determine the contents and timing of notifications, under Cocoa's name.
  ///
  /// The raw values are the same.
  public typealias NSKeyValueObservingOptions = KeyValueObservation.Options

  /// The kind of a change: the library's kinds under Cocoa's name, with the same raw values.
  public typealias NSKeyValueChange = KeyValueChangeKind

  /// An operation on the members of a set, under Cocoa's name, with the same raw values.
  public typealias NSKeyValueSetMutationKind = KeyValueSetMutationKind
#endif
