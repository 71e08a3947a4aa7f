import Foundation
import KeyValueObservingFoundation
import Testing

@Suite("Element changes of an addObserver-style observer")
struct ClassicCollectionTests {
  private let shelf = Shelf()
  private let screen = Screen()

  private func observe(
    _ keyPath: String, _ options: NSKeyValueObservingOptions = [.new, .old, .prior]
  ) {
    shelf.addObserver(screen, forKeyPath: keyPath, options: options, context: nil)
  }

  @Test("P35: an insertion")
  func insertion() {
    observe("books")
    shelf.mutableArrayValue(for: \.books).insert("x", at: 1)
    #expect(
      screen.take() == [
        "books: kind 2, isPrior true, indexes [1]", #"books: kind 2, indexes [1], new ["x"]"#,
      ])
  }

  @Test("P35: a removal of several elements")
  func removal() {
    observe("books")
    shelf.mutableArrayValue(for: \.books).remove(at: RangeSet([0..<1, 2..<3]))
    #expect(
      screen.take() == [
        #"books: kind 3, isPrior true, indexes [0, 2], old ["a", "c"]"#,
        #"books: kind 3, indexes [0, 2], old ["a", "c"]"#,
      ])
  }

  @Test("P35: a replacement")
  func replacement() {
    observe("books")
    shelf.mutableArrayValue(for: \.books)[2] = "z"
    #expect(
      screen.take() == [
        #"books: kind 4, isPrior true, indexes [2], old ["c"]"#,
        #"books: kind 4, indexes [2], new ["z"], old ["c"]"#,
      ])
  }

  @Test("Indexes are there whatever was asked for, along a path too")
  func withoutOptions() {
    shelf.neighbour = Shelf()
    observe("neighbour.books", [])
    shelf.neighbour?.mutableArrayValue(for: \.books).append("d")
    #expect(screen.take() == ["neighbour.books: kind 2, indexes [3]"])
  }

  @Test("P36: the initial change and an assignment are settings without indexes")
  func settings() {
    observe("books", [.initial, .new, .old])
    shelf.books = []
    #expect(
      screen.take() == [
        #"books: kind 1, new ["a", "b", "c"]"#, #"books: kind 1, new [], old ["a", "b", "c"]"#,
      ])
  }

  @Test("P19: manual notifications have their indexes as an index set")
  func byHand() {
    observe("books", [.new, .old])
    let first = IndexSet(integer: 0)
    shelf.willChange(.insertion, valuesAt: first, forKey: "books")
    shelf.didChange(.insertion, valuesAt: first, forKey: "books")
    shelf.willChange(.removal, valuesAt: [0, 2], for: \.books)
    shelf.didChange(.removal, valuesAt: [0, 2], for: \.books)
    let union = NSKeyValueSetMutationKind.union
    observe("labels", [.new, .old])
    shelf.willChangeValue(for: \.labels, withSetMutation: union, using: [1, 7])
    shelf.didChangeValue(for: \.labels, withSetMutation: union, using: [1, 7])
    #expect(
      screen.take() == [
        #"books: kind 2, indexes [0], new ["a"]"#,
        #"books: kind 3, indexes [0, 2], old ["a", "c"]"#, "labels: kind 2, new [7]",
      ])
  }

  @Test("P35: a set has what really came and went, and no indexes")
  func sets() {
    observe("labels", [.new, .old])
    let labels = shelf.mutableSetValue(for: \.labels)
    labels.formUnion([1, 2])
    labels.subtract([1, 5])
    labels.assign([3])
    #expect(
      screen.take() == [
        "labels: kind 2, new [2]", "labels: kind 3, old [1]", "labels: kind 4, new [3], old [2]",
      ])
  }

  @Test("A dependent of a collection receives a setting")
  func dependents() {
    observe("bookCount", [.new, .old])
    shelf.mutableArrayValue(for: \.books).append("d")
    #expect(screen.take() == ["bookCount: kind 1, new 4, old 3"])
  }

  @Test("Cocoa's closure receives the elements in the property's own type, and an index set")
  func closure() {
    var received: [(IndexSet?, [String]?)] = []
    let token = shelf.observe(\.books, options: .new) {
      (_, change: NSKeyValueObservedChange<[String]>) in
      received.append((change.indexes, change.newValue))
    }
    shelf.mutableArrayValue(for: \.books).insert(contentsOf: ["x", "y"], at: 0)
    #expect(received.count == 1)
    #expect(received.first?.0 == IndexSet(0..<2))
    #expect(received.first?.1 == ["x", "y"])
    token.invalidate()
  }
}

@KeyValueObservable
private final class Shelf {
  var books = ["a", "b", "c"]
  var labels: Set<Int> = [1]
  var neighbour: Shelf?
  var bookCount: Int { books.count }
}
