@testable import KeyValueObservingCore

extension Sentence {
  /// What a trap says.
  ///
  /// Each is provoked by a test of its own, in a process of its own.
  static let traps = [
    "elements": """
    An edit of a KeyValueMutableArray needs an element for each place, and has 1 for 2. Give as many \
    elements as places.
    """,
    "places": """
    An edit of a KeyValueMutableArray must stay inside of the array, which has 0 elements, and asks \
    for the places 3..<4. Look at its indices first.
    """,
    "noMember": """
    removeFirst() of a KeyValueMutableSet needs a member to remove, and the set is empty. Call \
    popFirst() instead, which returns nil then.
    """,
    "wrongType": """
    An accessor of Poster sets 'title' to a value of type Int, and keyValueProperties() lists 'title' \
    with values of type String, as which observers read it. Pass the accessor the key of its own \
    property.
    """,
    "contradiction": """
    KeyValueObserving contradicts itself: a value is kept in a box without a type. This is a defect \
    of the library. Report it with what the program did before.
    """,
  ]

  static func trap(_ name: String) -> String { traps[name] ?? "There is no trap \(name)." }
}
