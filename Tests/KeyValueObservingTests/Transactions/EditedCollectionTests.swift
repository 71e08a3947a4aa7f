import KeyValueObserving
import TestSupport
import Testing

@KeyValueObservable
private final class Basket {
  var items = [1, 2, 3]
  var marks: Set<Int> = [1, 2]
  var next: Basket?
  var count: Int { items.count }
}

@Suite struct EditedCollectionTests {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]
  private let basket = Basket()

  @Test("P49: edits of one kind are one edit of that kind")
  func oneKind() {
    let tokens = [
      basket.observe(\.items, options: options, changeHandler: recorder.receives("items")),
      basket.observe(\.items, options: [], changeHandler: recorder.receives("bare")),
      basket.observe(\.count, options: options, changeHandler: recorder.receives("count")),
    ]
    let items = basket.mutableArrayValue(for: \.items)
    withKeyValueTransaction {
      items.append(4)
      items.insert(0, at: 0)
    }
    #expect(
      recorder.take() == [
        "items →[0, 4] insertion [0, 4]", "bare → insertion [0, 4]", "count 3→5",
      ])
    withKeyValueTransaction {
      items.remove(at: 0)
      items.remove(at: 0)
    }
    #expect(
      recorder.take() == [
        "items [0, 1]→ removal [0, 1]", "bare → removal [0, 1]", "count 5→3",
      ])
    withExtendedLifetime((tokens, basket)) {}
  }

  @Test("P49: several replacements of members are one replacement")
  func replacedMembers() {
    let token = basket.observe(\.marks, options: options) { [recorder] _, change in
      recorder.write("\(change.kind) \(change.oldValue!.sorted()) \(change.newValue!.sorted())")
    }
    let marks = basket.mutableSetValue(for: \.marks)
    withKeyValueTransaction {
      marks.assign([3])
      marks.assign([4])
    }
    #expect(recorder.take() == ["replacement [1, 2] [4]"])
    withExtendedLifetime(token) {}
  }

  @Test("P53: an observer from inside receives what a prior handler sets in place of an edit")
  func setInPlaceOfEdit() {
    var tokens = [basket.observe(\.items) { _, _ in }]
    withKeyValueTransaction {
      basket.items = [1]
      tokens.append(
        basket.observe(\.items, options: .prior) { basket, change in
          if change.isPrior, !basket.items.isEmpty { basket.items = [] }
        })
      tokens.append(
        basket.observe(\.items, options: .new, changeHandler: recorder.receives("late")))
      #expect(basket.mutableArrayValue(for: \.items).popFirst() == nil)
    }
    #expect(recorder.take() == ["late →[]"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P49: an element that is inserted and removed again is in no difference")
  func cancelling() {
    let tokens = [
      basket.observe(\.items, options: options, changeHandler: recorder.receives("items")),
      basket.observe(\.count, options: options, changeHandler: recorder.receives("count")),
    ]
    let items = basket.mutableArrayValue(for: \.items)
    withKeyValueTransaction {
      items.append(4)
      items.remove(at: 3)
    }
    #expect(recorder.take() == [])
    withKeyValueTransaction {
      items.append(4)
      items.append(5)
      items.remove(at: 3)
    }
    #expect(recorder.take() == ["items →[5] insertion [3]", "count 3→4"])
    withExtendedLifetime((tokens, basket)) {}
  }

  @Test("P49: edits of several kinds, and a set among edits, set the collection")
  func severalKinds() {
    let token = basket.observe(\.items, options: options, changeHandler: recorder.receives("items"))
    let items = basket.mutableArrayValue(for: \.items)
    withKeyValueTransaction {
      items.append(4)
      items.remove(at: 0)
    }
    #expect(recorder.take() == ["items [1, 2, 3]→[2, 3, 4]"])
    withKeyValueTransaction {
      items.append(5)
      basket.items = [7]
      items.append(8)
    }
    #expect(recorder.take() == ["items [2, 3, 4]→[7, 8]"])
    #expect(throws: Refused.self) {
      try withKeyValueTransaction {
        items.append(9)
        throw Refused()
      }
    }
    #expect(recorder.take() == [])
    #expect(basket.items == [7, 8])
    withExtendedLifetime((token, basket)) {}
  }

  @Test("P49: observers of elements receive the edits of several kinds", arguments: [true, false])
  func differenceOfSeveralKinds(movesForward: Bool) {
    basket.items = [1, 2]
    var differences: [CollectionDifference<Int>] = []
    let token = basket.observeElements(of: \.items) { differences.append($1.difference) }
    let items = basket.mutableArrayValue(for: \.items)
    withKeyValueTransaction {
      if movesForward {
        items.remove(at: 0)
        items.append(1)
      } else {
        items.remove(at: 1)
        items.insert(2, at: 0)
      }
    }
    #expect(basket.items == [2, 1])
    let removed = movesForward ? 0 : 1
    let moved = movesForward ? 1 : 2
    // A comparison of both arrays finds one of these for both.
    #expect(
      differences.map(Array.init) == [
        [
          .remove(offset: removed, element: moved, associatedWith: nil),
          .insert(offset: 1 - removed, element: moved, associatedWith: nil),
        ]
      ])
    withExtendedLifetime((token, basket)) {}
  }

  @Test(
    "P37, P49: observers of elements receive the compared difference where a plain set is among the edits"
  )
  func differenceOfSet() {
    basket.items = [1, 2, 3, 4]
    var differences: [CollectionDifference<Int>] = []
    let token = basket.observeElements(of: \.items) { differences.append($1.difference) }
    let items = basket.mutableArrayValue(for: \.items)
    withKeyValueTransaction {
      // As edits, these would remove and insert the first element.
      items.remove(at: 0)
      items.insert(1, at: 0)
      basket.items = [1, 2, 4]
      items.append(5)
    }
    #expect(
      differences.map(Array.init) == [
        [
          .remove(offset: 2, element: 3, associatedWith: nil),
          .insert(offset: 3, element: 5, associatedWith: nil),
        ]
      ])
    withKeyValueTransaction {
      items.append(6)
      basket.items = [1, 2, 4, 5]
    }
    #expect(differences.count == 1)
    // Two ways to one array, which the exact edits distinguish.
    for movesForward in [true, false] {
      basket.items = [1, 2]
      differences = []
      withKeyValueTransaction {
        items.remove(at: movesForward ? 0 : 1)
        basket.items = basket.items
        items.insert(movesForward ? 1 : 2, at: movesForward ? 1 : 0)
      }
      #expect(
        differences.map(Array.init) == [
          [
            .remove(offset: 0, element: 1, associatedWith: nil),
            .insert(offset: 1, element: 1, associatedWith: nil),
          ]
        ])
    }
    withExtendedLifetime((token, basket)) {}
  }

  @Test("P49: the members that a set has lost and got are one change")
  func sets() {
    let token = basket.observe(\.marks, options: options, changeHandler: recorder.receives("marks"))
    let marks = basket.mutableSetValue(for: \.marks)
    withKeyValueTransaction {
      marks.insert(3)
      marks.insert(4)
      marks.remove(4)
    }
    #expect(recorder.take() == ["marks →[3] insertion"])
    withKeyValueTransaction {
      marks.remove(1)
      marks.insert(1)
    }
    #expect(recorder.take() == [])
    withExtendedLifetime((token, basket)) {}
  }

  @Test("P49: a path to the collection receives its edit")
  func path() {
    let next = Basket()
    basket.next = next
    let token = basket.observe(
      \.next?.items, options: options, changeHandler: recorder.receives("items"))
    withKeyValueTransaction {
      next.mutableArrayValue(for: \.items).append(4)
      next.mutableArrayValue(for: \.items).append(5)
    }
    #expect(recorder.take() == ["items →[4, 5] insertion [3, 4]"])
    withKeyValueTransaction {
      next.mutableArrayValue(for: \.items).append(6)
      basket.next = Basket()
    }
    #expect(recorder.take() == ["items [1, 2, 3, 4, 5]→[1, 2, 3] path"])
    withExtendedLifetime((token, basket)) {}
  }

  @Test("P49: edits of an array take linear time")
  func linearTime() {
    func time(_ count: Int) -> Duration {
      let basket = Basket()
      basket.items = Array(0..<(2 * count))
      let token = basket.observe(\.items, options: .old) { _, _ in }
      let items = basket.mutableArrayValue(for: \.items)
      let time = processorTime {
        withKeyValueTransaction { for _ in 0..<count { items.removeLast() } }
      }
      withExtendedLifetime(token) {}
      return time
    }
    #expect(slowdown(at: 4000, measuring: time) < 10)
  }

  @Test("P47, P49, P64: a prior notification is a setting, also of an edit of a bound key")
  func priorOfEdit() {
    let (root, other) = (Basket(), Basket())
    root.next = basket
    let options: KeyValueObservation.Options = [.prior, .old, .new]
    let tokens = [
      basket.observe(\.items, options: options, changeHandler: recorder.receives("key")),
      root.observe(\.next?.items, options: options, changeHandler: recorder.receives("path")),
    ]
    let items = basket.mutableArrayValue(for: \.items)
    withKeyValueTransaction { items.append(4) }
    #expect(
      recorder.take() == [
        "key [1, 2, 3]→ prior", "path [1, 2, 3]→ prior", "key →[4] insertion [3]",
        "path →[4] insertion [3]",
      ])
    let binding = basket.bind(\.items, to: other, \.items)
    items.remove(at: 0)
    #expect(
      recorder.take() == [
        "key [1, 2, 3, 4]→ prior", "path [1, 2, 3, 4]→ prior", "key [1]→ removal [0]",
        "path [1]→ removal [0]",
      ])
    withExtendedLifetime((tokens, binding)) {}
  }
}
