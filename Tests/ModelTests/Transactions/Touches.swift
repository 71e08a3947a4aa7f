/// The changes that a program has made so far in one transaction, of each property.
struct Touches {
  struct Touch {
    /// The first change and the last one, among all of the program.
    var first: Int
    var last: Int
    /// Whether there were edits by proxy only, which may cancel out (P49).
    var isEdited: Bool
    /// The observers under whose names all changes were made (P57).
    var silenced: Set<Int>
    /// Whether a history records the first change, and so all of them (P58).
    var isRecorded: Bool
  }

  private(set) var places: [ItemPlace: Touch] = [:]
  let silenced: Set<Int>

  init(silenced: Set<Int> = []) { self.silenced = silenced }

  mutating func note(
    _ place: ItemPlace, at time: Int, isEdit: Bool = false, isRecorded: Bool = true
  ) {
    merge(
      Touch(
        first: time, last: time, isEdited: isEdit, silenced: silenced, isRecorded: isRecorded),
      of: place)
  }

  /// Takes over what was done in a transaction inside.
  mutating func merge(_ other: Touches) {
    for (place, touch) in other.places { merge(touch, of: place) }
  }

  private mutating func merge(_ touch: Touch, of place: ItemPlace) {
    guard var merged = places[place] else { return places[place] = touch }
    if touch.first < merged.first { merged.isRecorded = touch.isRecorded }
    merged.first = min(merged.first, touch.first)
    merged.last = max(merged.last, touch.last)
    merged.isEdited = merged.isEdited && touch.isEdited
    merged.silenced.formIntersection(touch.silenced)
    places[place] = merged
  }
}
