import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private class Stock {
  var items = ["a", "b", "c"]
  var marks: Set<Int> = [1, 2]
  var next: Stock?
  weak var friend: Stock?
  var name: String
  var nextName: String? { next?.name }
  init(_ name: String = "n") { self.name = name }
}

@KeyValueObservable
private final class Override: Stock {
  override var items: [String] {
    get { super.items }
    set { super.items = newValue }
  }
}

private final class Unlisted: Stock {}

@KeyValueObservable
private final class Quiet {
  var items = ["a", "b", "c"]
  static func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
}

extension AllTests {
  @Suite("Changes by hand and edits, where other changes come between")
  struct EditInCallbackTests {
    private let recorder = Recorder()
    private let stock = Stock()

    /// Calls `body` once, in a prior callback of a property.
    private func prior<Value>(
      of keyPath: KeyPath<Stock, Value>, _ body: @escaping (Stock) -> Void
    ) -> KeyValueObservation {
      var isFirst = true
      return stock.observe(keyPath, options: .prior) { stock, change in
        guard change.isPrior, isFirst else { return }
        isFirst = false
        body(stock)
      }
    }

    @Test("P35, P11: what a prior callback changes is sorted and searched as well")
    func priorBeforeOrder() {
      let items = stock.mutableArrayValue(for: \.items)
      stock.items = ["c", "b"]
      let appends = prior(of: \.items) { $0.items.append("0") }
      items.sort()
      #expect(stock.items == ["0", "b", "c"])
      appends.invalidate()
      let inserts = prior(of: \.items) { $0.items.insert("keep", at: 0) }
      items.removeAll { $0 == "0" }
      #expect(stock.items == ["keep", "b", "c"])
      inserts.invalidate()
    }

    @Test("P35, P11: what is removed is what is returned, whatever a prior callback changes")
    func priorBeforeRemoval() {
      let items = stock.mutableArrayValue(for: \.items)
      let inserts = prior(of: \.items) { $0.items.insert("new", at: 0) }
      #expect(items.removeFirst() == "new")
      inserts.invalidate()
      let removes = prior(of: \.items) { $0.items.removeFirst() }
      #expect(items.removeLast() == "c")
      removes.invalidate()
      let empties = prior(of: \.items) { $0.items = [] }
      items.removeAll { $0 > "" }
      #expect(stock.items == [])
      empties.invalidate()
      let removesMember = prior(of: \.marks) { $0.marks.remove(1) }
      #expect(stock.mutableSetValue(for: \.marks).remove(1) == nil)
      removesMember.invalidate()
    }

    @Test("P25, P11: a path that a prior callback leads away from a mutation block is not notified")
    func priorRewires() {
      let former = Stock("A")
      let other = Stock("B")
      stock.next = former
      let rewires = former.observe(\.name, options: .prior) { _, change in
        if change.isPrior { self.stock.next = other }
      }
      let path = stock.observe(
        \.next?.name, options: [.old, .new], changeHandler: recorder.receives("path"))
      former.withMutation(of: \.name) { former.name = "x" }
      #expect(recorder.take() == ["path A→B path"])
      withExtendedLifetime((rewires, path)) {}
    }

    @Test("P37, P25: elements of an array that a prior callback leads a path to are delivered once")
    func priorLeadsTo() {
      let other = Stock()
      other.items = ["x", "b"]
      stock.next = Stock()
      var mirror = stock.items
      var isFirst = true
      let swap = other.observe(\.items, options: .prior) { _, change in
        guard change.isPrior, isFirst else { return }
        isFirst = false
        self.stock.next = other
      }
      let elements = stock.observeElements(of: \.next!.items) { _, change in
        mirror = mirror.applying(change.difference) ?? []
      }
      other.mutableArrayValue(for: \.items).remove(at: 0)
      #expect(mirror == ["b"])
      withExtendedLifetime((swap, elements)) {}
    }

    @Test(
      "P19, P26: links set inside a scope are one change of the path, from the first to the last")
    func scopeOfLink() {
      stock.next = Stock("A")
      let temporary = Stock("B")
      let tokens = [
        stock.observe(
          \.next?.name, options: [.old, .new], changeHandler: recorder.receives("path")),
        stock.observe(
          \.nextName, options: [.old, .new], changeHandler: recorder.receives("computed")),
      ]
      stock.withMutation(of: \.next) {
        stock.next = temporary
        temporary.name = "x"
        stock.next = Stock("C")
      }
      #expect(recorder.take() == ["path A→C path", "computed A→C"])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P27, P19: deallocation of a weak property's object notifies, even if set in a mutation block"
    )
    func weakInScope() {
      var former: Stock? = Stock()
      stock.friend = former
      let token = stock.observe(
        \.friend?.name, options: .new, changeHandler: recorder.receives("·"))
      var friend: Stock? = Stock("p")
      stock.withMutation(of: \.friend) { stock.friend = friend }
      former = nil
      friend = nil
      #expect(recorder.take() == ["· →p path", "· →nil path"])
      withExtendedLifetime((token, former, friend)) {}
    }

    @Test(
      "P19, P32: a pair that is never completed lets go of the old value with the last observer")
    func unmatchedPair() {
      weak var weakStock: Stock?
      do {
        let stock = Stock()
        stock.next = stock
        weakStock = stock
        let token = stock.observe(\.next, options: .old) { _, _ in }
        stock.willChangeValue(for: \.next)
        token.invalidate()
        stock.next = nil
      }
      #expect(weakStock == nil)
    }

    @Test(
      "P19, P35: a property that a subclass overrides is changed by hand through the superclass")
    func overridden() {
      let diagnostics = Diagnostics()
      let stock: Stock = Override()
      let token = stock.observe(\.items, options: .new, changeHandler: recorder.receives("·"))
      stock.mutableArrayValue(for: \.items).append("d")
      stock.withMutation(of: \.items) {
        stock.items.removeFirst()
        stock.items.removeFirst()
      }
      stock.willChangeValue(for: \.items)
      stock.didChangeValue(for: \.items)
      #expect(
        recorder.take() == [#"· →["d"] insertion [3]"#, #"· →["c", "d"]"#, #"· →["c", "d"]"#])
      #expect(diagnostics.take() == [])
      token.invalidate()
    }

    @Test("P35: a proxy along a path from a superclass delivers elements for every subclass")
    func pathFromSuperclass() {
      for stock: Stock in [Override(), Unlisted()] {
        stock.next = Unlisted()
        let token = stock.observe(
          \.next!.items, options: [.old, .new], changeHandler: recorder.receives("·"))
        stock.mutableArrayValue(for: \.next!.items).append("d")
        stock.mutableSetValue(for: \.next!.marks).insert(3)
        #expect(recorder.take() == [#"· →["d"] insertion [3]"#])
        #expect(stock.next?.marks == [1, 2, 3])
        token.invalidate()
      }
    }

    @Test("P9: distinct admits changes after one that it did not receive")
    func distinctAfterSilence() {
      var late: KeyValueObservation?
      stock.withMutation(of: \.items) {
        late = stock.observe(
          \.items, options: [.new, .distinct], changeHandler: recorder.receives("late"))
        stock.items.append("d")
      }
      stock.mutableArrayValue(for: \.items).remove(at: 3)
      #expect(recorder.take() == ["late → removal [3]"])
      let quiet = Quiet()
      let token = quiet.observe(
        \.items, options: [.new, .distinct], changeHandler: recorder.receives("quiet"))
      quiet.items.append("d")
      quiet.withMutation(of: \.items, .removal, at: RangeSet(3..<4)) { quiet.items.removeLast() }
      #expect(recorder.take() == ["quiet → removal [3]"])
      withExtendedLifetime((late, token)) {}
    }

    @Test("P9, P13: distinct compares with the elements that an observer was registered with")
    func distinctInBlock() {
      var late: KeyValueObservation?
      stock.withMutation(of: \.items) {
        stock.items = []
        late = stock.observe(
          \.items, options: [.new, .distinct], changeHandler: recorder.receives("late"))
        stock.items = ["a", "b"]
      }
      let items = stock.mutableArrayValue(for: \.items)
      items[1] = "b"
      #expect(recorder.take() == [#"late →["b"] replacement [1]"#])
      items[1] = "b"
      #expect(recorder.take() == [])
      withExtendedLifetime(late) {}
    }

    @Test("P9: distinct compares the elements behind a link that was nil, and in a dictionary")
    func distinctElements() throws {
      let dictionary = KeyValueDictionary(["tags": ["a"]])
      let tokens = [
        stock.observe(
          \.next?.marks, options: [.new, .distinct], changeHandler: recorder.receives("marks")),
        stock.observe(
          \.next?.items, options: [.new, .distinct], changeHandler: recorder.receives("items")),
        try dictionary.observe(
          "tags", options: [.new, .distinct], changeHandler: recorder.receives("tags")),
      ]
      let next = Stock()
      next.marks = [1]
      stock.next = next
      _ = recorder.take()
      next.mutableSetValue(for: \.marks).remove(1)
      next.marks = [1]
      next.mutableArrayValue(for: \.items)[0] = "a"
      dictionary["tags"] = ["a"]
      #expect(recorder.take() == ["marks → removal", "marks →[1]"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P19, P37: indexes that no array has are omitted from manual notifications")
    func impossiblePlaces() {
      let token = stock.observeElements(of: \.items) { _, change in
        self.recorder.write("\(change.insertions.map(\.offset)) \(change.removals.map(\.offset))")
      }
      stock.withMutation(of: \.items, .insertion, at: RangeSet(-1..<1)) {
        stock.items.insert("x", at: 0)
      }
      stock.withMutation(of: \.items, .removal, at: RangeSet([0..<1, 5..<7])) {
        stock.items.removeFirst()
      }
      #expect(recorder.take() == ["[0] []", "[] [0]"])
      token.invalidate()
    }
  }
}
