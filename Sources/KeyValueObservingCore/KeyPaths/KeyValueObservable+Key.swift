extension KeyValueObservable {
  /// Returns the key of a key path as a string, nil where it has none.
  ///
  /// `\.name` has the key `"name"`. A path through objects has the key path of its components, with
  /// or without optional chaining: `\.author?.name` has `"author.name"`. The result can be
  /// observed, read and written as a string; that of a private property, observed and read.
  ///
  /// It is nil for key paths without an equivalent string: `\.self`, subscripts, parts of a value such
  /// as `\.frame.width`, properties that are ignored or not those of an observable class, and those
  /// that a class without the macro lists with `isPrivate: true`. It is also nil for key paths of more
  /// than four components, and for those in which an intermediate property that is not optional follows
  /// an optional one (`\.author?.home.city`): Swift does not let a key path be taken apart, and their
  /// keys are not found.
  ///
  /// - Parameter keyPath: The key path of a property, or of one of another object that it leads to.
  /// - Returns: The key or the key path, or nil.
  ///
  /// - Complexity: O(1) for a property. The components of a longer path are looked for among the
  ///   properties of the classes on the way, a few milliseconds at most.
  public static func key(for keyPath: PartialKeyPath<Self>) -> String? {
    guard let properties = KeyPathDecomposer.properties(of: keyPath, from: Self.self),
      !properties.contains(where: \.isPrivate)
    else { return nil }
    return properties.map(\.key).joined(separator: ".")
  }
}
