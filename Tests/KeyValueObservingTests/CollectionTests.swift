import KeyValueObserving
import Testing

@KeyValueObservable
private final class Basket {
  var items: [String] = ["a", "b", "c"]
  var marks: Set<Int> = [1, 2]
  var next: Basket?
  var count: Int { items.count }
  var changes = 0
}

@KeyValueObservable
private final class Shelf {
  var baskets: [Basket] = []
}

extension AllTests {
  @Suite("Observed collections")
  struct CollectionTests {
    private let recorder = Recorder()
    private let basket = Basket()

    private func observeItems() -> KeyValueObservation {
      basket.observe(\.items, options: [.old, .new], changeHandler: recorder.receives("·"))
    }

    @Test("P35: a proxy made before any observer delivers insertions, removals and replacements")
    func kinds() {
      let items = basket.mutableArrayValue(for: \.items)
      items.append("before")
      let token = observeItems()
      items.append("d")
      items.insert("x", at: 0)
      items.remove(at: 1)
      items[0] = "y"
      items[0] = "y"
      #expect(Array(items) == ["y", "b", "c", "before", "d"])
      #expect(
        recorder.take() == [
          #"· →["d"] insertion [4]"#, #"· →["x"] insertion [0]"#, #"· ["a"]→ removal [1]"#,
          #"· ["x"]→["y"] replacement [0]"#, #"· ["y"]→["y"] replacement [0]"#,
        ])
      token.invalidate()
    }

    @Test("P35: a bulk edit is one change with an index set")
    func bulk() {
      let token = observeItems()
      let items = basket.mutableArrayValue(for: \.items)
      items.insert(["x", "y", "z"], at: RangeSet([0..<1, 3..<5]))
      #expect(basket.items == ["x", "a", "b", "y", "z", "c"])
      items.remove(at: RangeSet([0..<1, 3..<4]))
      #expect(basket.items == ["a", "b", "z", "c"])
      items.replace(at: RangeSet([0..<1, 2..<3]), with: ["A", "Z"])
      items.append(contentsOf: ["m", "n"])
      items.insert(contentsOf: ["o"], at: 1)
      items.removeSubrange(1...2)
      items.removeAll { $0 < "a" }
      #expect(basket.items == ["c", "m", "n"])
      items.removeAll()
      #expect(
        recorder.take() == [
          #"· →["x", "y", "z"] insertion [0, 3, 4]"#, #"· ["x", "y"]→ removal [0, 3]"#,
          #"· ["a", "z"]→["A", "Z"] replacement [0, 2]"#, #"· →["m", "n"] insertion [4, 5]"#,
          #"· →["o"] insertion [1]"#, #"· ["o", "b"]→ removal [1, 2]"#,
          #"· ["A", "Z"]→ removal [0, 1]"#, #"· ["c", "m", "n"]→ removal [0, 1, 2]"#,
        ])
      token.invalidate()
    }

    @Test("P35: replacing a range by as many is a replacement, else a removal and an insertion")
    func replaceSubrange() {
      let token = observeItems()
      let items = basket.mutableArrayValue(for: \.items)
      items.replaceSubrange(0..<2, with: ["x", "y"])
      items.replaceSubrange(0..<2, with: ["z"])
      items.replaceSubrange(1..<1, with: ["w"])
      items.replaceSubrange(1..., with: [])
      #expect(basket.items == ["z"])
      #expect(
        recorder.take() == [
          #"· ["a", "b"]→["x", "y"] replacement [0, 1]"#, #"· ["x", "y"]→ removal [0, 1]"#,
          #"· →["z"] insertion [0]"#, #"· →["w"] insertion [1]"#,
          #"· ["w", "c"]→ removal [1, 2]"#,
        ])
      token.invalidate()
    }

    @Test("P35: sorting, reversing and swapping are one replacement of the places that changed")
    func order() {
      let token = observeItems()
      let items = basket.mutableArrayValue(for: \.items)
      items.reverse()
      items.swapAt(0, 1)
      items.sort()
      items.sort()
      items.swapAt(1, 1)
      #expect(basket.items == ["a", "b", "c"])
      #expect(
        recorder.take() == [
          #"· ["a", "c"]→["c", "a"] replacement [0, 2]"#,
          #"· ["c", "b"]→["b", "c"] replacement [0, 1]"#,
          #"· ["b", "c", "a"]→["a", "b", "c"] replacement [0, 1, 2]"#,
        ])
      token.invalidate()
    }

    @Test("P35: a mutation that changes nothing sends no notification")
    func nothing() {
      let token = observeItems()
      let items = basket.mutableArrayValue(for: \.items)
      items.append(contentsOf: [])
      items.insert([], at: RangeSet())
      items.removeSubrange(1..<1)
      items.removeAll { $0 == "none" }
      items.replace(at: RangeSet(), with: [])
      items.replaceSubrange(3..<3, with: [])
      #expect(recorder.take() == [])
      token.invalidate()
    }

    @Test("P36: plain mutation is a setting, once for each")
    func plain() {
      let token = observeItems()
      basket.items.append("d")
      basket.items = ["z"]
      #expect(
        recorder.take() == [
          #"· ["a", "b", "c"]→["a", "b", "c", "d"]"#, #"· ["a", "b", "c", "d"]→["z"]"#,
        ])
      token.invalidate()
    }

    @Test("P35: a prior has the places, and the values that go")
    func prior() {
      let token = basket.observe(
        \.items, options: [.old, .new, .prior], changeHandler: recorder.receives("·"))
      let items = basket.mutableArrayValue(for: \.items)
      items.append("d")
      items.remove(at: 0)
      #expect(
        recorder.take() == [
          "· → insertion [3] prior", #"· →["d"] insertion [3]"#,
          #"· ["a"]→ removal [0] prior"#, #"· ["a"]→ removal [0]"#,
        ])
      token.invalidate()
    }

    @Test("P11: an edit inside the prior callback of an edit comes first, and moves its place")
    func editInPrior() {
      let items = basket.mutableArrayValue(for: \.items)
      var isFirst = true
      let token = basket.observe(\.items, options: [.old, .new, .prior]) { _, change in
        self.recorder.write("·", change)
        guard change.isPrior, isFirst else { return }
        isFirst = false
        items.append("inner")
      }
      items.append("outer")
      #expect(
        recorder.take() == [
          "· → insertion [3] prior", "· → insertion [3] prior", #"· →["inner"] insertion [3]"#,
          #"· →["outer"] insertion [4]"#,
        ])
      #expect(basket.items == ["a", "b", "c", "inner", "outer"])
      token.invalidate()
    }

    @Test("P11: an edit inside a callback waits until the one being delivered has reached everyone")
    func editInCallback() {
      let items = basket.mutableArrayValue(for: \.items)
      let first = basket.observe(\.items) { basket, _ in
        if basket.items.count == 4 { items.remove(at: 0) }
      }
      let second = observeItems()
      items.append("d")
      #expect(recorder.take() == [#"· →["d"] insertion [3]"#, #"· ["a"]→ removal [0]"#])
      withExtendedLifetime((first, second)) {}
    }

    @Test("P23: what depends on an array is set")
    func dependents() {
      let tokens = [
        basket.observe(\.count, options: [.old, .new], changeHandler: recorder.receives("count")),
        basket.observe(
          \.items.first, options: [.old, .new], changeHandler: recorder.receives("first")),
      ]
      basket.mutableArrayValue(for: \.items).insert("x", at: 0)
      #expect(recorder.take() == ["first a→x", "count 3→4"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P35: a mutation at the end of a path is delivered with its indexes")
    func path() throws {
      let owner = Basket()
      owner.next = basket
      let tokens = [
        owner.observe(
          \.next?.items, options: [.old, .new], changeHandler: recorder.receives("typed")),
        try owner.observe("next.items", options: .new, changeHandler: recorder.receives("string")),
        try basket.observe("items", options: .new, changeHandler: recorder.receives("key")),
      ]
      let items = owner.mutableArrayValue(for: \.next!.items)
      items.append("d")
      #expect(
        recorder.take() == [
          #"typed →["d"] insertion [3]"#, #"string →["d"] insertion [3]"#,
          #"key →["d"] insertion [3]"#,
        ])
      owner.next = Basket()
      items.remove(at: 0)
      #expect(basket.items == ["b", "c", "d"])
      #expect(recorder.take().last == #"key → removal [0]"#)
      withExtendedLifetime(tokens) {}
    }

    @Test("P35: the mutations of a set deliver the inserted and removed members, without indexes")
    func sets() {
      let marks = basket.mutableSetValue(for: \.marks)
      let token = basket.observe(
        \.marks, options: [.old, .new], changeHandler: recorder.receives("·"))
      #expect(marks.insert(3))
      #expect(!marks.insert(3))
      #expect(marks.remove(1) == 1)
      #expect(marks.remove(1) == nil)
      marks.formUnion([3, 4])
      marks.formUnion([4])
      marks.subtract([2, 9])
      marks.subtract([9])
      marks.formIntersection([4, 5])
      marks.assign([5])
      marks.assign([5])
      marks.removeAll()
      marks.removeAll()
      #expect(
        recorder.take() == [
          "· →[3] insertion", "· [1]→ removal", "· →[4] insertion", "· [2]→ removal",
          "· [3]→ removal", "· [4]→[5] replacement", "· [5]→ removal",
        ])
      token.invalidate()
    }

    @Test("P19: edits inside a scope are one setting")
    func scope() {
      let token = observeItems()
      let items = basket.mutableArrayValue(for: \.items)
      basket.withMutation(of: \.items) {
        items.append("d")
        items.remove(at: 0)
      }
      #expect(recorder.take() == [#"· ["a", "b", "c"]→["b", "c", "d"]"#])
      token.invalidate()
    }

    @Test("P35: onChange passes on the whole collection after each edit")
    func onChange() {
      let token = basket.onChange(of: \.items) { self.recorder.write("\($0.joined())") }
      let items = basket.mutableArrayValue(for: \.items)
      items.append("d")
      items.remove(at: 0)
      items[0] = "x"
      #expect(recorder.take() == ["abcd", "bcd", "xcd"])
      token.invalidate()
    }

    @Test("P15: an edit does not copy the array")
    func inPlace() {
      let token = observeItems()
      let items = basket.mutableArrayValue(for: \.items)
      basket.items = Array(repeating: "x", count: 1000)
      basket.items.reserveCapacity(2000)
      let before = basket.items.withUnsafeBufferPointer { $0.baseAddress }
      items.append("y")
      #expect(basket.items.withUnsafeBufferPointer { $0.baseAddress } == before)
      token.invalidate()
    }

    @Test("P9: distinct compares edits also where a link was nil at first")
    func distinctBehindLink() {
      let token = basket.observe(
        \.next?.items, options: .distinct, changeHandler: recorder.receives("·"))
      let next = Basket()
      basket.next = next
      next.mutableArrayValue(for: \.items)[0] = "a"
      #expect(recorder.take() == ["· → path"])
      withExtendedLifetime(token) {}
    }

    @Test("P9: distinct compares what an edit comes to")
    func distinct() {
      let items = basket.mutableArrayValue(for: \.items)
      let token = basket.observe(
        \.items, options: [.new, .distinct], changeHandler: recorder.receives("·"))
      items[0] = "a"
      items[0] = "x"
      items.append("d")
      basket.items = ["x", "b", "c", "d"]
      basket.items = ["x"]
      #expect(
        recorder.take() == [
          #"· →["x"] replacement [0]"#, #"· →["d"] insertion [3]"#, #"· →["x"]"#,
        ])
      token.invalidate()
    }
  }

  @Suite("Observed elements")
  struct ElementTests {
    private let recorder = Recorder()
    private let basket = Basket()

    private func describe<Element>(_ change: KeyValueElementsChange<Element>) -> String {
      (change.removals.map { "-\($0.offset)\($0.element)" }
        + change.insertions.map { "+\($0.offset)\($0.element)" }).joined(separator: " ")
    }

    @Test("P37: proxy mutations and plain mutation deliver exactly the elements that changed")
    func both() {
      let token = basket.observeElements(of: \.items) { _, change in
        self.recorder.write(self.describe(change))
      }
      let items = basket.mutableArrayValue(for: \.items)
      items.append("d")
      basket.items.append("e")
      basket.items = ["a", "x", "c", "d", "e"]
      items.remove(at: 0)
      items[0] = "X"
      items.sort()
      basket.items.remove(at: 2)
      #expect(
        recorder.take() == [
          "+3d", "+4e", "-1b +1x", "-0a", "-0x +0X", "-2d",
        ])
      token.invalidate()
    }

    @Test("P37: a mutation that leaves the same elements sends no notification")
    func same() {
      let token = basket.observeElements(of: \.items) { _, change in
        self.recorder.write(self.describe(change))
      }
      basket.items = ["a", "b", "c"]
      basket.mutableArrayValue(for: \.items)[1] = "b"
      basket.withMutation(of: \.items) {
        basket.items.append("d")
        basket.items.removeLast()
      }
      #expect(recorder.take() == [])
      token.invalidate()
    }

    @Test("P37: objects are compared by identity")
    func identity() {
      let shelf = Shelf()
      let token = shelf.observeElements(of: \.baskets) { _, change in
        self.recorder.write("-\(change.removals.map(\.offset)) +\(change.insertions.map(\.offset))")
      }
      let other = Basket()
      shelf.baskets = [basket, other]
      shelf.baskets = [basket, other]
      shelf.baskets = [other, basket]
      shelf.mutableArrayValue(for: \.baskets)[0] = Basket()
      #expect(recorder.take() == ["-[] +[0, 1]", "-[0] +[1]", "-[0] +[0]"])
      token.invalidate()
    }

    @Test("P37, P25: a path that leads to another array delivers the difference")
    func path() {
      let owner = Basket()
      owner.next = basket
      let token = owner.observeElements(of: \.next!.items) { _, change in
        self.recorder.write(self.describe(change))
      }
      let other = Basket()
      other.items = ["a", "c"]
      owner.next = other
      basket.items = []
      other.mutableArrayValue(for: \.items).append("z")
      #expect(recorder.take() == ["-1b", "+2z"])
      token.invalidate()
    }
  }
}
