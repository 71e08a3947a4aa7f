/// A property of `Node`, or of its subclass `Branch`.
enum Key: String, CaseIterable, Hashable {
  case x, y, tags, next, friend
  case sum, reach, total, echo
  /// Only a `Branch` has it; its `y` and `sum` depend on it.
  case bonus

  static let links: [Key] = [.next, .friend]
  static let numbers: [Key] = [.x, .y]
  static let stored: [Key] = [.x, .y, .tags, .next, .friend]
  static let computed: [Key] = [.sum, .reach, .total, .echo]
  /// Those that every node has.
  static let common = stored + computed

  var isComputed: Bool { Key.computed.contains(self) }
  var isLink: Bool { Key.links.contains(self) }
}
