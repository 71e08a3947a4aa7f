import KeyValueObserving

/// An object of the programs, with collections that are stored, computed, and notified manually.
@KeyValueObservable
final class Shelf {
  var items: [Int]
  var marks: Set<Int> = [1]
  var spare: [Int]?
  var next: Shelf?
  /// Its observers are notified manually.
  var listed = [1, 2]
  var shown: [Int] {
    get { items }
    set { items = newValue }
  }
  /// The getter does not return what the setter was given.
  var ordered: [Int] {
    get { items.sorted() }
    set { items = newValue }
  }
  var shownMarks: Set<Int> {
    get { marks.filter { $0 != 0 } }
    set { marks = newValue }
  }
  var all: [Int] { items + (next?.items ?? []) }

  init(_ items: [Int]) { self.items = items }

  static func automaticallyNotifiesObserversOfListed() -> Bool { false }

  /// The arrays that are edited.
  static var arrays: [(key: String, path: ReferenceWritableKeyPath<Shelf, [Int]>)] {
    [
      ("items", \.items), ("shown", \.shown), ("ordered", \.ordered), ("listed", \.listed),
    ]
  }

  /// The values that a history puts back.
  var state: String { "\(items) \(marks.sorted()) \(spare as Any) \(listed) \(next?.items as Any)" }
}

/// A collection that is observed, in one of several ways.
struct WatchedCollection {
  /// Receives a change, or the removals and insertions of one.
  typealias Handler = ([CollectionChange]) -> Void

  let name: String
  let isSet: Bool
  let value: (Shelf) -> [Int]?
  let observe: (Shelf, KeyValueObservation.Options, @escaping Handler) -> KeyValueObservation

  static var all: [WatchedCollection] {
    [
      typed("items", \.items), typed("next?.items", \.next?.items), typed("shown", \.shown),
      typed("next?.next?.items", \.next?.next?.items), typed("next?.shown", \.next?.shown),
      typed("ordered", \.ordered), typed("next?.ordered", \.next?.ordered), typed("all", \.all),
      typed("listed", \.listed), typed("next?.listed", \.next?.listed), typed("spare", \.spare),
      typed("marks", \.marks, isSet: true), typed("next?.marks", \.next?.marks, isSet: true),
      typed("shownMarks", \.shownMarks, isSet: true), key("items"), key("next.next.items"),
      key("shown"), key("next.ordered"), key("next.listed"), key("next.spare"),
      key("marks", isSet: true), key("next.shownMarks", isSet: true),
      elements("elements of items", \.items), elements("elements of shown", \.shown),
      elements("elements of ordered", \.ordered), elements("elements of all", \.all),
    ]
  }

  private static func typed<Value>(
    _ name: String, _ keyPath: KeyPath<Shelf, Value>, isSet: Bool = false
  ) -> WatchedCollection {
    WatchedCollection(name: name, isSet: isSet, value: { list($0[keyPath: keyPath]) }) {
      shelf, options, handler in
      shelf.observe(keyPath, options: options) { _, change in handler([CollectionChange(change)]) }
    }
  }

  private static func key(_ path: String, isSet: Bool = false) -> WatchedCollection {
    WatchedCollection(
      name: "\"\(path)\"", isSet: isSet, value: { list(try? $0.value(forKeyPath: path)) }
    ) {
      shelf, options, handler in
      // The keys are those of the class.
      try! shelf.observe(path, options: options) { _, change in handler([CollectionChange(change)])
      }
    }
  }

  private static func elements(
    _ name: String, _ keyPath: KeyPath<Shelf, [Int]>
  ) -> WatchedCollection {
    WatchedCollection(name: name, isSet: false, value: { $0[keyPath: keyPath] }) {
      shelf, _, handler in
      shelf.observeElements(of: keyPath) { _, change in
        let removals = change.removals.map { ($0.offset, $0.element) }
        let insertions = change.insertions.map { ($0.offset, $0.element) }
        handler([
          CollectionChange(.removal, removals), CollectionChange(.insertion, insertions),
        ])
      }
    }
  }
}

/// A collection as an array: a set in order.
private func list(_ value: Any?) -> [Int]? { value as? [Int] ?? (value as? Set<Int>)?.sorted() }

/// A change that an observer of a collection receives.
struct CollectionChange: CustomStringConvertible {
  let kind: KeyValueChangeKind
  let isPrior: Bool
  let old: [Int]??
  let new: [Int]??
  let indexes: [Int]?
  let description: String

  init<Value>(_ change: KeyValueChange<Value>) {
    (kind, isPrior) = (change.kind, change.isPrior)
    old = change.oldValue.map { list($0) }
    new = change.newValue.map { list($0) }
    indexes = change.indexes.map { $0.ranges.flatMap { Array($0) } }
    description = "\(change)"
  }

  /// The removals or insertions of a difference.
  init(_ kind: KeyValueChangeKind, _ places: [(offset: Int, element: Int)]) {
    (self.kind, isPrior, indexes) = (kind, false, places.map(\.offset))
    old = kind == .removal ? .some(places.map(\.element)) : .none
    new = kind == .insertion ? .some(places.map(\.element)) : .none
    description = "\(kind) of \(places.map(\.element)) at \(places.map(\.offset))"
  }
}
