extension KeyValueDictionary: CustomStringConvertible, CustomDebugStringConvertible {
  /// The keys and values as of a Swift dictionary, in the order of the keys:
  /// `["skin": ["name": "dark"], "volume": 7]`.
  ///
  /// An object inside itself is shown as `[…]`. A computed property does not depend on what a description
  /// shows.
  ///
  /// - Complexity: O(*n* log *n*) for *n* keys that are shown; an object is shown wherever it is a value.
  public var description: String { ThreadState.pauseRecording { description(inside: []) } }

  /// The description with the name of the class: `KeyValueDictionary(["volume": 7])`.
  public var debugDescription: String { "KeyValueDictionary(\(description))" }

  /// Describes the object as a part of others.
  ///
  /// - Parameter outer: The objects whose descriptions this one is a part of.
  /// - Returns: The description.
  private func description(inside outer: [KeyValueDictionary]) -> String {
    if storage.isEmpty { return "[:]" }
    let parts = storage.sorted { $0.key < $1.key }.map { key, value in
      "\(key.debugDescription): \(Self.description(of: value, inside: outer + [self]))"
    }
    return "[\(parts.joined(separator: ", "))]"
  }

  private static func description(
    of value: Any?, inside outer: [KeyValueDictionary]
  ) -> String {
    switch value {
    case nil: "nil"
    case let object as KeyValueDictionary:
      outer.contains { $0 === object } ? "[…]" : object.description(inside: outer)
    case let array as [Any?]:
      "[\(array.map { description(of: $0, inside: outer) }.joined(separator: ", "))]"
    case let value?: String(reflecting: value)
    }
  }
}
