/// A typed key path that is made of more than keys: it runs through a subscript or a value, and shows only when
/// it is evaluated which keys it reads.
///
/// Each object on such a path is asked for one key, which leads to the next object, up to the last
/// one. That is asked for the last key, or for several if that is computed (P26).
struct OpaqueKeyPath {
  private struct Read {
    /// Stands for the object.
    let owner: UnsafeMutableRawPointer
    let key: String
    /// Whether the value of the key may hold an object, as its type shows.
    let mayLeadOn: Bool
  }

  private let root: any KeyValueObservable.Type
  private let valueType: Any.Type
  private var reads: [Read] = []
  /// The keys that have led on to the last object, from the first one on.
  private var known: [String] = []
  /// Whether a key was read of an object to which none of the keys before can have led: of one
  /// element after the other.
  ///
  /// Then nothing is known of the path.
  private var fansOut = false
  /// How many keys were read at most, nil before the path is evaluated.
  private var greatestCount: Int?

  init(_ keyPath: AnyKeyPath, root: any KeyValueObservable.Type) {
    self.root = root
    valueType = type(of: keyPath).valueType
  }

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

  /// Takes in the links to the keys that were read, and notes which of them are intermediate.
  ///
  /// Returns whether more keys were read than ever before.
  mutating func takeIn(_ links: ArraySlice<Link>) -> Bool {
    // The types know of a last link that is nil, or leads to a constant, and of links in a ring.
    let guessed = guess(links)
    let shownCount = intermediateCount(of: links)
    for (index, link) in links.enumerated() {
      link.isIntermediate = index < shownCount || guessed[index]
    }
    let former = greatestCount
    greatestCount = max(former ?? 0, links.count)
    return former.map { $0 < links.count } ?? false
  }

  /// How many links are intermediate according to what was read; 0 if that shows nothing.
  private mutating func intermediateCount(of links: ArraySlice<Link>) -> Int {
    reads.removeSubrange(min(links.count, reads.count)...)
    guard reads.count == links.count, let end, !fansOut else { return 0 }
    if end >= known.count { known = reads[..<end].map(\.key) }
    // An intermediate object that is nil by now counts as one.
    return zip(reads, known).prefix { $0.key == $1 }.count
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

  /// The parts according to the types of the properties: a key that holds an observable object
  /// leads on.
  ///
  /// A key whose type is a class-bound protocol leads on as well if it is not the last. Keys after
  /// it are not known, and taken for the value.
  private func guess(_ links: ArraySlice<Link>) -> [Bool] {
    var areIntermediate = [Bool](repeating: false, count: links.count)
    var type: (any KeyValueObservable.Type)? = root
    for index in links.indices {
      guard let table = type.map({ PropertyTable.of($0) }),
        let observedKey = links[index].observedKey,
        let property = table.hiddenProperty(named: observedKey.name)
          ?? table.property(named: observedKey.name.key)
      else { break }
      let held = unwrappedType(property.valueType)
      type = observableType(held)
      let isLast = index == links.count - 1 && held == unwrappedType(valueType)
      areIntermediate[index] = type != nil || !isLast && isObjectExistential(held)
    }
    return areIntermediate
  }
}
