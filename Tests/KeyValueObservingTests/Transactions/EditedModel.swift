import TestSupport

@testable import KeyValueObservingCore

/// An array that is edited at random, each of whose elements knows where it comes from.
struct EditedModel {
  struct Item {
    /// The index before all edits; nil if the element was inserted.
    let origin: Int?
    var value: Int
  }

  /// The values before all edits are their indexes.
  let formerCount: Int
  private(set) var items: [Item]
  private var lastValue = 1000

  init(count: Int) {
    formerCount = count
    items = (0..<count).map { Item(origin: $0, value: $0) }
  }

  var former: [Int] { Array(0..<formerCount) }
  var values: [Int] { items.map(\.value) }

  /// The indexes before all edits of elements that are not in the array any more.
  var removed: [Int] {
    let origins = Set(items.compactMap(\.origin))
    return former.filter { !origins.contains($0) }
  }

  /// The indexes before all edits of elements that have others in their positions.
  var replaced: [Int] { items.compactMap { $0.value == $0.origin ? nil : $0.origin } }

  /// The indexes of inserted elements.
  var inserted: [Int] { items.indices.filter { items[$0].origin == nil } }

  var kind: KeyValueChangeKind? {
    let kinds: [KeyValueChangeKind] =
      (removed.isEmpty ? [] : [.removal]) + (replaced.isEmpty ? [] : [.replacement])
      + (inserted.isEmpty ? [] : [.insertion])
    return kinds.count > 1 ? .setting : kinds.first
  }

  /// An edit of up to three elements, at contiguous indexes or not.
  mutating func randomEdit(_ random: inout SplitMix) -> ArrayEdit<Int> {
    let kinds: [KeyValueChangeKind] =
      items.isEmpty ? [.insertion] : [.insertion, .removal, .replacement]
    let kind = kinds.randomElement(using: &random)!
    let wanted = Int.random(in: 1...3, using: &random)
    let limit = kind == .insertion ? items.count + wanted : items.count
    var places = Array(0..<limit)
    places.shuffle(using: &random)
    if Bool.random(using: &random) {
      let start = places[0]
      places = Array(start..<min(start + wanted, limit))
    }
    let chosen = places.prefix(wanted)
    // A position behind the end exists only once the elements before it are inserted.
    let indexes = RangeSet(places: kind == .insertion ? fitting(chosen) : Array(chosen))
    var elements: [Int] = []
    if kind != .removal { for _ in indexes.places { elements.append(makeValue()) } }
    return ArrayEdit(Edit(kind, at: indexes), bringing: elements)
  }

  private func fitting(_ places: ArraySlice<Int>) -> [Int] {
    places.sorted().enumerated().map { min($1, items.count + $0) }
  }

  private mutating func makeValue() -> Int {
    lastValue += 1
    return lastValue
  }

  /// Makes an edit, element by element.
  mutating func apply(_ edit: ArrayEdit<Int>) {
    let places = edit.edit.places
    switch edit.edit.kind {
    case .setting: break
    case .insertion:
      for (place, value) in zip(places, edit.elements) {
        items.insert(Item(origin: nil, value: value), at: place)
      }
    case .removal: for place in places.reversed() { items.remove(at: place) }
    case .replacement:
      for (place, value) in zip(places, edit.elements) { items[place].value = value }
    }
  }
}
