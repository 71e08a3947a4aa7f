/// The keys that evaluating a typed key path has read, where it is not known of which keys the path is
/// made: it runs through a subscript or a value.
///
/// Each object on such a path is asked for one key, which leads to the next object, up to the last
/// one. That is asked for the last key, or for several if that is computed (P26).
struct KeyPathTrail {
  private struct Read {
    /// Stands for the object.
    let owner: UnsafeMutableRawPointer
    let key: String
    /// Whether the value of the key may hold an object, as its type shows.
    let mayLeadOn: Bool
  }

  private var reads: [Read] = []
  /// The keys that have led on to the last object, from the first one on.
  private var known: [String] = []
  /// Whether a key was read of an object to which none of the keys before can have led: of one
  /// element after the other.
  ///
  /// Then nothing is known of the path.
  private var fansOut = false

  /// Notes that the key of an observed key was read, as the one at a position.
  mutating func note(_ observedKey: ObservedKey, in table: PropertyTable, at position: Int) {
    let property =
      table.hiddenProperty(named: observedKey.name) ?? table.property(named: observedKey.name.key)
    reads.removeSubrange(min(position, reads.count)...)
    reads.append(
      Read(
        owner: observedKey.unmanagedContext.toOpaque(), key: observedKey.name.key,
        mayLeadOn: property.map { !isFreeOfObjects($0.valueType) } ?? true))
  }

  /// For each key that was read, whether it comes before the last one.
  ///
  /// Nil if nothing is known.
  mutating func areBeforeLast(of links: [Link]) -> [Bool]? {
    reads.removeSubrange(min(links.count, reads.count)...)
    guard reads.count == links.count, let end, !fansOut else { return nil }
    if end >= known.count { known = reads[..<end].map(\.key) }
    // A link that is nil by now counts as a link.
    let count = zip(reads, known).prefix { $0.key == $1 }.count
    return reads.indices.map { $0 < count }
  }

  /// The index of the first key that is read of the last object.
  ///
  /// Nil if the path fans out.
  private var end: Int? {
    mutating get {
      guard let last = reads.indices.last else { return nil }
      let end = reads.indices.first { !isLink($0) } ?? last
      let rest = reads[end...]
      for index in rest.indices.dropFirst() {
        let before = rest[..<index]
        if !before.contains(where: { $0.owner == reads[index].owner || $0.mayLeadOn }) {
          fansOut = true
          return nil
        }
      }
      return end
    }
  }

  /// Whether the key at an index can lead on to what was read next.
  private func isLink(_ index: Int) -> Bool {
    let read = reads[index]
    return index + 1 < reads.count && read.mayLeadOn
      && !reads.indices.contains { $0 != index && reads[$0].owner == read.owner }
  }
}
