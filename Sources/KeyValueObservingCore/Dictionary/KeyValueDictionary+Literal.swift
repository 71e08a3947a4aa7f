extension KeyValueDictionary: ExpressibleByDictionaryLiteral {
  /// Creates an object from a dictionary literal.
  ///
  /// ```swift
  /// let settings: KeyValueDictionary = ["volume": 7, "skin": ["name": "dark"]]
  /// ```
  ///
  /// Nested dictionaries become objects of their own, also inside arrays. Of several values of one key
  /// the last one counts.
  ///
  /// - Parameter elements: Keys and their values, which may be nil.
  /// - Complexity: O(*n*) for *n* values, with those that are nested.
  public convenience init(dictionaryLiteral elements: (String, Any?)...) {
    self.init(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
