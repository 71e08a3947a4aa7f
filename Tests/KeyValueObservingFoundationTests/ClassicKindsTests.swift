import Foundation
import KeyValueObservingCore
import Testing

@testable import KeyValueObservingFoundation

@Suite("Contents of the change by kind")
struct ClassicKindsTests {
  private func entries(
    _ kind: KeyValueChangeKind, new: Any?? = .none, old: Any?? = .none, at places: [Int]? = nil,
    isPrior: Bool = false
  ) -> String {
    let indexes = places.map { places in
      RangeSet(places.map { $0..<$0 + 1 })
    }
    return describe(
      KeyValueChange<Any?>(
        kind: kind, newValue: new, oldValue: old, indexes: indexes, isPrior: isPrior
      ).dictionary)
  }

  @Test("An insertion has its indexes and what came")
  func insertion() {
    #expect(entries(.insertion, new: ["x"], at: [1]) == #"kind 2, indexes [1], new ["x"]"#)
    #expect(entries(.insertion, new: ["x"], old: ["y"], at: [1]).contains("old") == false)
  }

  @Test("A removal has its indexes and what went")
  func removal() {
    #expect(entries(.removal, old: ["x"], at: [0]) == #"kind 3, indexes [0], old ["x"]"#)
    #expect(entries(.removal, new: ["y"], old: ["x"], at: [0]).contains("new") == false)
  }

  @Test("A replacement has its indexes, what came and what went")
  func replacement() {
    #expect(
      entries(.replacement, new: ["y"], old: ["x"], at: [2])
        == #"kind 4, indexes [2], new ["y"], old ["x"]"#)
  }

  @Test("Indexes are there whatever was asked for")
  func indexesAlways() {
    #expect(entries(.insertion, at: [3]) == "kind 2, indexes [3]")
    #expect(entries(.removal, at: [3]) == "kind 3, indexes [3]")
    #expect(entries(.replacement, at: [3]) == "kind 4, indexes [3]")
  }

  @Test("Several places are one ascending index set")
  func severalPlaces() {
    #expect(
      entries(.insertion, new: [1, 2, 3, 4], at: [5, 0, 6, 2])
        == "kind 2, indexes [0, 2, 5, 6], new [1, 2, 3, 4]")
  }

  @Test("A prior has indexes, has what goes, and never what comes")
  func priors() {
    #expect(
      entries(.insertion, new: ["x"], old: ["y"], at: [0], isPrior: true)
        == "kind 2, isPrior true, indexes [0]")
    #expect(
      entries(.removal, old: ["x"], at: [0], isPrior: true)
        == #"kind 3, isPrior true, indexes [0], old ["x"]"#)
    #expect(
      entries(.replacement, new: ["y"], old: ["x"], at: [0], isPrior: true)
        == #"kind 4, isPrior true, indexes [0], old ["x"]"#)
  }

  @Test("A setting has no indexes")
  func setting() {
    #expect(
      entries(.setting, new: ["b"], old: ["a"], at: [0]) == #"kind 1, new ["b"], old ["a"]"#)
    #expect(entries(.setting, new: .some(nil), old: .some(nil)) == "kind 1, new null, old null")
  }

  @Test("A change of a set has no indexes, and what really came and went")
  func sets() {
    #expect(entries(.insertion, new: Set([1])) == "kind 2, new [1]")
    #expect(entries(.removal, old: Set([1])) == "kind 3, old [1]")
    #expect(entries(.replacement, new: Set([2]), old: Set([1])) == "kind 4, new [2], old [1]")
  }

  @Test("Cocoa's form of a change has the same contents, and an index set")
  func observedChange() {
    let change = NSKeyValueObservedChange(
      KeyValueChange(
        kind: .replacement, newValue: ["y"], oldValue: ["x"], indexes: RangeSet(1..<3),
        isPrior: true))
    #expect(change.kind == NSKeyValueChange.replacement)
    #expect(change.newValue == ["y"] && change.oldValue == ["x"])
    #expect(change.indexes == IndexSet(1..<3))
    #expect(change.isPrior)
    #expect(NSKeyValueObservedChange(KeyValueChange<Int>()).indexes == nil)
  }
}
