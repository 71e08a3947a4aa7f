extension KeyValueObservable {
  /// Returns the key of a key path as a string, nil where it has none.
  ///
  /// `\.name` has the key `"name"`. A path through objects has the key path of its components, with
  /// or without optional chaining: `\.author?.name` has `"author.name"`. The result can be
  /// observed, read and written as a string; that of a private property, observed and read.
  ///
  /// It is nil for whatever no string stands for: `\.self`, subscripts, parts of a value such as
  /// `\.frame.width`, properties that are ignored or not those of an observable class, and those that
  /// a class without the macro lists with `isPrivate: true`. Nor are the keys found of a path of more
  /// than four components, or where a link that is not optional follows one that is
  /// (`\.author?.home.city`): Swift does not let a key path be taken apart.
  ///
  /// - Parameter keyPath: The key path of a property.
  /// - Returns: The key, or nil if the key path is not one property of the class.
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
