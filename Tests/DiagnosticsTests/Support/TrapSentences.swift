extension Sentence {
  /// The messages of traps, each of which a test of its own causes in a process of its own.
  static let traps = [
    "elementCount": """
    KeyValueMutableArray: 1 element for 2 indexes. Pass as many elements as indexes.
    """,
    "indexOutOfRange": """
    KeyValueMutableArray: index out of range: 3 (count 0). Check it against `indices` first.
    """,
    "emptySet": """
    KeyValueMutableSet.removeFirst(): can't remove an element from an empty set. Call popFirst(), \
    which returns nil instead.
    """,
    "wrongType": """
    Poster.title: an accessor sets a value of type Int, but keyValueProperties() lists the key \
    with values of type String. Pass each accessor the key of its own property.
    """,
    "invariantViolation": """
    KeyValueObserving: internal inconsistency: one and two is not three. Report \
    this as a bug, with the calls that preceded it.
    """,
  ]

  static func trap(_ name: String) -> String { traps[name] ?? "There is no trap \(name)." }
}
