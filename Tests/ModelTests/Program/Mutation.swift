import KeyValueObserving

/// A mutation of a property in place, which is one change of kind `setting` (P36).
enum Mutation: Hashable, Sendable {
  /// `+=` to a number.
  case add(Key, Int)
  case append(Int)
  case removeAll(Int)
  /// A mutating method that appends and then throws (P17).
  case failAfterAppending(Int)

  var key: Key {
    if case .add(let key, _) = self { key } else { .tags }
  }
}

/// A mutation of the elements of an array.
///
/// Places are taken modulo the places there are.
enum TagsEdit: Hashable, Sendable {
  case insert(Int, at: Int)
  case remove(at: Int)
  case replace(at: Int, with: Int)
  // Bulk edits, which are one change with an index set (P35), and only made by proxy.
  case append([Int])
  case removeAll(Int)
  case sort

  /// Makes the edit by proxy.
  func apply(to tags: KeyValueMutableArray<Int>) {
    switch self {
    case .insert(let element, let place): tags.insert(element, at: place % (tags.count + 1))
    case .remove(let place): if !tags.isEmpty { tags.remove(at: place % tags.count) }
    case .replace(let place, let element):
      if !tags.isEmpty { tags[place % tags.count] = element }
    case .append(let elements): tags.append(contentsOf: elements)
    case .removeAll(let element): tags.removeAll { $0 == element }
    case .sort: tags.sort()
    }
  }

  /// The kind of the change, its indexes and its result; nil if nothing changes.
  func planned(for tags: [Int]) -> PlannedEdit? {
    var result = tags
    let kind: KeyValueChangeKind
    let indexes: [Int]
    switch self {
    case .insert(let element, let place):
      kind = .insertion
      indexes = [place % (tags.count + 1)]
      result.insert(element, at: indexes[0])
    case .remove(let place):
      if tags.isEmpty { return nil }
      kind = .removal
      indexes = [place % tags.count]
      result.remove(at: indexes[0])
    case .replace(let place, let element):
      if tags.isEmpty { return nil }
      kind = .replacement
      indexes = [place % tags.count]
      result[indexes[0]] = element
    case .append(let elements):
      kind = .insertion
      indexes = Array(tags.count..<(tags.count + elements.count))
      result += elements
    case .removeAll(let element):
      kind = .removal
      indexes = tags.indices.filter { tags[$0] == element }
      result.removeAll { $0 == element }
    case .sort:
      kind = .replacement
      // Equal elements keep their order; one that moves counts, also if it replaces an equal one.
      let sources = tags.indices.sorted { (tags[$0], $0) < (tags[$1], $1) }
      result = sources.map { tags[$0] }
      indexes = tags.indices.filter { sources[$0] != $0 }
    }
    return indexes.isEmpty ? nil : PlannedEdit(kind: kind, indexes: indexes, result: result)
  }
}

/// The way in which the elements of an array are mutated.
enum EditForm: String, Hashable, Sendable {
  case proxy
  /// In a mutation block for elements.
  case block
  /// Between `willChange` and `didChange` for elements.
  case pair
}

/// A mutation of an array that has certain elements.
struct PlannedEdit {
  let kind: KeyValueChangeKind
  let indexes: [Int]
  let result: [Int]

  /// The elements that the change removes, of those before it; nil if it removes none.
  func removed(from tags: [Int]) -> Value? {
    kind == .insertion ? nil : .list(elements(of: tags))
  }

  /// The elements that the change inserts, of those after it; nil if it inserts none.
  func inserted(in tags: [Int]) -> Value? {
    kind == .removal ? nil : .list(elements(of: tags))
  }

  /// The elements at the indexes that there are.
  private func elements(of tags: [Int]) -> [Int] {
    indexes.filter(tags.indices.contains).map { tags[$0] }
  }
}
