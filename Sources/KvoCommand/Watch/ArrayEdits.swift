import KeyValueObserving

/// The edits that make the current version of an array of the former one, in their order: what is gone is removed
/// from the places that it had, what has come is inserted where it is, and then values are replaced.
///
/// An array in an array is a value, and replaced if anything in it differs.
struct ArrayEdits {
  let former: [JSONValue]
  let current: [JSONValue]
  /// Indexes in the former version.
  let removals: RangeSet<Int>
  /// Indexes in the current version.
  let insertions: RangeSet<Int>
  let replacements: RangeSet<Int>
  /// The objects that are still there, and differ.
  let editedObjects: [ArrayDifference.Pair]

  init(from former: [JSONValue], to current: [JSONValue]) {
    let difference = ArrayDifference(from: former, to: current)
    var replacements = RangeSet<Int>()
    var editedObjects: [ArrayDifference.Pair] = []
    for pair in difference.pairs where former[pair.former] != current[pair.current] {
      if former[pair.former].isSameObject(as: current[pair.current]) {
        editedObjects.append(pair)
      } else {
        replacements.insert(pair.current, within: current)
      }
    }
    (self.former, self.current) = (former, current)
    (removals, insertions) = (difference.removals, difference.insertions)
    (self.replacements, self.editedObjects) = (replacements, editedObjects)
    replacedPlaces = RangeSet(
      difference.pairs.lazy.filter { replacements.contains($0.current) }
        .map { $0.former..<($0.former + 1) })
  }

  /// The places that replaced elements had.
  private let replacedPlaces: RangeSet<Int>

  /// The edits as an observer of the array receives them, each by itself.
  var changes: [KeyValueChange<Any?>] {
    func elements(_ version: [JSONValue], at indexes: RangeSet<Int>?) -> Any?? {
      indexes.map { version[$0].map(Document.live) }
    }
    func change(
      _ kind: KeyValueChangeKind, at indexes: RangeSet<Int>, from old: RangeSet<Int>? = nil,
      to new: RangeSet<Int>? = nil
    ) -> KeyValueChange<Any?>? {
      indexes.isEmpty
        ? nil
        : KeyValueChange(
          kind: kind, newValue: elements(current, at: new), oldValue: elements(former, at: old),
          indexes: indexes)
    }
    return [
      change(.removal, at: removals, from: removals),
      change(.insertion, at: insertions, to: insertions),
      change(.replacement, at: replacements, from: replacedPlaces, to: replacements),
    ].compactMap(\.self)
  }
}
