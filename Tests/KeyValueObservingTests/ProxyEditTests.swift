import KeyValueObserving
import TestSupport
import Testing

@KeyValueObservable
private final class Rack {
  var items: [String] = ["a", "b", "c", "d"]
  var marks: Set<Int> = [1, 2]
  var tags: Set<Tag> = [Tag("x", 1)]
}

/// A member that equals others of the same name.
private struct Tag: Hashable, CustomStringConvertible {
  let name: String
  let version: Int

  init(_ name: String, _ version: Int) {
    self.name = name
    self.version = version
  }

  static func == (left: Tag, right: Tag) -> Bool { left.name == right.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
  var description: String { "\(name)\(version)" }
}

private struct Failure: Error {}

extension AllTests {
  @Suite("Edits that arrays and sets have")
  struct ProxyEditTests {
    private let rack = Rack()
    private let recorder = Recorder()

    private func observeItems(
      _ options: KeyValueObservation.Options = [.old, .new]
    ) -> KeyValueObservation {
      rack.observe(\.items, options: options, changeHandler: recorder.receives("·"))
    }

    private func observeMarks() -> KeyValueObservation {
      rack.observe(\.marks, options: [.old, .new]) { [recorder] _, change in
        let (old, new) = (change.oldValue?.sorted() ?? [], change.newValue?.sorted() ?? [])
        recorder.write("-\(old) +\(new) \(change.kind)")
      }
    }

    // MARK: Arrays

    @Test("P35: removing some of the first or last elements is one removal, none if there are none")
    func ends() {
      let token = observeItems()
      let items = rack.mutableArrayValue(for: \.items)
      items.removeFirst(0)
      items.removeLast(0)
      items.removeFirst(2)
      items += ["e", "f"]
      items += []
      items.removeLast(3)
      #expect(items.removeFirst() == "c")
      items.removeLast(0)
      #expect(
        recorder.take() == [
          #"· ["a", "b"]→ removal [0, 1]"#, #"· →["e", "f"] insertion [2, 3]"#,
          #"· ["d", "e", "f"]→ removal [1, 2, 3]"#, #"· ["c"]→ removal [0]"#,
        ])
      token.invalidate()
    }

    @Test("P35: an element is popped while there is one, and nothing happens to an empty array")
    func pop() {
      let token = observeItems()
      let items = rack.mutableArrayValue(for: \.items)
      items.removeSubrange(1..<3)
      #expect(items.popFirst() == "a")
      #expect(items.popLast() == "d")
      #expect(items.popLast() == nil)
      #expect(items.popFirst() == nil)
      #expect(
        recorder.take() == [
          #"· ["b", "c"]→ removal [1, 2]"#, #"· ["a"]→ removal [0]"#, #"· ["d"]→ removal [0]"#,
        ])
      token.invalidate()
    }

    @Test("P35: an array that a prior callback empties has nothing left to pop")
    func popAfterPrior() {
      let items = rack.mutableArrayValue(for: \.items)
      var isFirst = true
      let token = rack.observe(\.items, options: .prior) { rack, change in
        guard change.isPrior, isFirst else { return }
        isFirst = false
        rack.items = []
      }
      #expect(items.popLast() == nil)
      #expect(rack.items == [])
      token.invalidate()
    }

    @Test("P35: a range is read as it is, and assigned as it is replaced")
    func ranges() {
      let token = observeItems()
      let items = rack.mutableArrayValue(for: \.items)
      let slice: ArraySlice<String> = items[1..<3]
      items[1..<3] = ["B", "C"]
      #expect(slice == ["b", "c"] && slice.startIndex == 1)
      #expect(items[2...] == ["C", "d"] && items[...1] == ["a", "B"] && items[...].count == 4)
      items[3...] = ["e", "f"]
      items[0..<0] = ["z"]
      items[..<2].sort(by: >)
      items[0..<0] = []
      items[...] = []
      #expect(
        recorder.take() == [
          #"· ["b", "c"]→["B", "C"] replacement [1, 2]"#, #"· ["d"]→ removal [3]"#,
          #"· →["e", "f"] insertion [3, 4]"#, #"· →["z"] insertion [0]"#,
          #"· ["z", "a"]→["z", "a"] replacement [0, 1]"#,
          #"· ["z", "a", "B", "C", "e", "f"]→ removal [0, 1, 2, 3, 4, 5]"#,
        ])
      #expect(items[...].isEmpty)
      token.invalidate()
    }

    @Test("P35: a shuffle is one replacement of the places that change")
    func shuffle() throws {
      rack.items = (0..<20).map(String.init)
      let former = rack.items
      var changes: [KeyValueChange<[String]>] = []
      let token = rack.observe(\.items, options: [.old, .new]) { _, change in
        changes.append(change)
      }
      var random = SplitMix(seed: 1)
      rack.mutableArrayValue(for: \.items).shuffle(using: &random)
      let change = try #require(changes.first)
      let moved = former.indices.filter { former[$0] != rack.items[$0] }
      #expect(changes.count == 1 && change.kind == .replacement)
      #expect(change.indexes?.ranges.flatMap { Array($0) } == moved)
      #expect(change.oldValue == moved.map { former[$0] })
      #expect(change.newValue == moved.map { rack.items[$0] })
      #expect(rack.items.sorted() == former.sorted())
      rack.mutableArrayValue(for: \.items).shuffle()
      #expect(rack.items.sorted() == former.sorted())
      token.invalidate()
    }

    @Test("P35: a partition keeps the order of both parts, and returns where the second begins")
    func partition() {
      let token = observeItems()
      let items = rack.mutableArrayValue(for: \.items)
      #expect(items.partition { $0 == "a" || $0 == "c" } == 2)
      #expect(rack.items == ["b", "d", "a", "c"])
      #expect(items.partition { $0 == "a" || $0 == "c" } == 2)
      #expect(items.partition { _ in false } == 4)
      #expect(items.partition { _ in true } == 0)
      #expect(throws: Failure.self) {
        try items.partition { _ throws(Failure) in throw Failure() }
      }
      #expect(
        recorder.take() == [
          #"· ["a", "b", "c", "d"]→["b", "d", "a", "c"] replacement [0, 1, 2, 3]"#
        ])
      token.invalidate()
    }

    @Test("P35: moving elements together is one replacement of the places that change")
    func move() {
      let token = observeItems()
      let items = rack.mutableArrayValue(for: \.items)
      #expect(items.moveSubranges(RangeSet([0..<1, 2..<3]), to: 4) == 2..<4)
      #expect(rack.items == ["b", "d", "a", "c"])
      #expect(items.moveSubranges(RangeSet(3..<4), to: 2) == 2..<3)
      #expect(items.moveSubranges(RangeSet(), to: 1) == 1..<1)
      #expect(items.moveSubranges(RangeSet(0..<2), to: 1) == 0..<2)
      #expect(
        recorder.take() == [
          #"· ["a", "b", "c", "d"]→["b", "d", "a", "c"] replacement [0, 1, 2, 3]"#,
          #"· ["a", "c"]→["c", "a"] replacement [2, 3]"#,
        ])
      token.invalidate()
    }

    @Test("P35: proxies by key have the same edits, with values of the property's own type")
    func byKey() throws {
      let token = observeItems()
      let items = try rack.mutableArrayValue(forKey: "items")
      items += ["e", 1]
      #expect(rack.items.count == 4)
      items += ["e"]
      items[0..<2] = ["A", "B"]
      #expect(items.popLast() as? String == "e")
      items.removeFirst(3)
      #expect(
        recorder.take() == [
          #"· →["e"] insertion [4]"#, #"· ["a", "b"]→["A", "B"] replacement [0, 1]"#,
          #"· ["e"]→ removal [4]"#, #"· ["A", "B", "c"]→ removal [0, 1, 2]"#,
        ])
      token.invalidate()
    }

    // MARK: Sets

    @Test("P35: a symmetric difference is one change of the members that come and go")
    func symmetricDifference() {
      let token = observeMarks()
      let marks = rack.mutableSetValue(for: \.marks)
      marks.formSymmetricDifference([2, 3, 3])
      marks.formSymmetricDifference([4])
      marks.formSymmetricDifference([1])
      marks.formSymmetricDifference([])
      #expect(rack.marks == [3, 4])
      #expect(
        recorder.take() == ["-[2] +[3] replacement", "-[] +[4] insertion", "-[1] +[] removal"])
      token.invalidate()
    }

    @Test("P35: an update replaces the member that equals the new one, or inserts that")
    func update() {
      let tags = rack.mutableSetValue(for: \.tags)
      let token = rack.observe(
        \.tags, options: [.old, .new], changeHandler: recorder.receives("·"))
      #expect(tags.update(with: Tag("x", 2))?.version == 1)
      #expect(tags.update(with: Tag("y", 1)) == nil)
      #expect(rack.tags.map(\.version).sorted() == [1, 2])
      #expect(recorder.take() == ["· [x1]→[x2] replacement", "· →[y1] insertion"])
      token.invalidate()
    }

    @Test("P35: members are removed by a condition or one by one, and none from an empty set")
    func removal() {
      let token = observeMarks()
      let marks = rack.mutableSetValue(for: \.marks)
      marks.formUnion([3, 4])
      marks.removeAll { $0 > 2 }
      marks.removeAll { $0 > 2 }
      #expect(throws: Failure.self) {
        try marks.removeAll { _ throws(Failure) in throw Failure() }
      }
      #expect([1, 2].contains(marks.removeFirst()))
      #expect(marks.count == 1)
      #expect(marks.popFirst() != nil)
      #expect(marks.popFirst() == nil)
      let history = recorder.take()
      #expect(history.prefix(2) == ["-[] +[3, 4] insertion", "-[3, 4] +[] removal"])
      #expect(history.count == 4 && history.dropFirst(2).allSatisfy { $0.hasSuffix("removal") })
      token.invalidate()
    }

    @Test("P35: a set by key has the same edits")
    func setByKey() throws {
      let token = observeMarks()
      let marks = try rack.mutableSetValue(forKey: "marks")
      marks.formSymmetricDifference([2.0, 3])
      #expect(marks.update(with: 5) == nil)
      marks.formSymmetricDifference(["text"])
      #expect(rack.marks == [1, 3, 5])
      #expect(recorder.take() == ["-[2] +[3] replacement", "-[] +[5] insertion"])
      token.invalidate()
    }
  }
}
