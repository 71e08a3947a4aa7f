import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private class Shelf {
  var books: [String] = []
  var next: Shelf?
  var price = 1
  @KeyValueIgnored var evaluations = 0

  var title: String {
    evaluations += 1
    return "\(price)"
  }
  var double: Int { price * 2 }
  var neighbor: Shelf? {
    evaluations += 1
    return next
  }
  var rows: [Shelf] = []
  var first: Shelf? { rows.first }
  weak var owner: Shelf?
  var isOwned = false
  var ownerPrice: Int { isOwned ? owner?.price ?? -1 : 0 }
}

/// Computes a collection that its superclass stores.
@KeyValueObservable
private final class SortedShelf: Shelf {
  override var books: [String] {
    get { super.books }
    set { super.books = newValue.sorted() }
  }
}

@KeyValueObservable
private final class OtherTarget {
  @KeyValueIgnored let padding = [1, 2, 3]
  var title = "other"
}

/// Has a property of its own with the key of one that it does not see.
@KeyValueObservable
private final class NumberTarget {
  var title = 1
}

@KeyValueObservable
private final class NumberLink: HiddenLink {
  var target: NumberTarget? = NumberTarget()
}

@KeyValueObservable
private final class OtherLink: HiddenLink {
  var target: OtherTarget? = OtherTarget()
}

@KeyValueObservable
private final class LinkHolder {
  var link: HiddenLink?
}

extension AllTests {
  /// Paths that end in a key that a getter computes observe the key as its other observers do.
  @Suite("Paths to computed keys")
  struct ComputedPathTests {
    private let recorder = Recorder()

    @Test("P15: the value of a computed key is read once for its observers and the paths to it")
    func readOnce() throws {
      let shelf = Shelf()
      let root = Shelf()
      root.next = shelf
      let options: KeyValueObservation.Options = [.old, .new]
      let tokens = [
        root.observe(\.next?.title, options: options, changeHandler: recorder.receives("typed")),
        try root.observe(
          "next.title", options: options, changeHandler: recorder.receives("string")),
        shelf.observe(\.title, options: options, changeHandler: recorder.receives("key")),
      ]
      shelf.evaluations = 0
      shelf.price = 2
      #expect(recorder.take() == ["typed 1→2", "string 1→2", "key 1→2"])
      #expect(shelf.evaluations == 2)
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P15: a path reads its last key while it registers only for observers that are given the value",
      arguments: [
        (.new, 1), ([.old, .new, .prior], 1), (.initial, 1), ([.initial, .new], 2), (.distinct, 2),
      ] as [(KeyValueObservation.Options, Int)])
    func readsWhileRegistering(options: KeyValueObservation.Options, expected: Int) throws {
      let root = Shelf()
      root.next = Shelf()
      func readCount(_ register: () throws -> KeyValueObservation) rethrows -> Int? {
        root.next?.evaluations = 0
        return try withExtendedLifetime(register()) { root.next?.evaluations }
      }
      // The first observer of a typed key path finds out by reading which keys it is made of.
      root.observe(\.next?.title) { _, _ in }.invalidate()
      // The computed key is evaluated once in each case, to find its inputs.
      #expect(readCount { root.observe(\.next?.title, options: options) { _, _ in } } == expected)
      let ofString = try readCount {
        try root.observe("next.title", options: options) { _, _ in }
      }
      #expect(ofString == expected)
    }

    @Test("P15: in a mutation block, no value is read for observers that request none")
    func readsInBlock() {
      let root = Shelf()
      let shelf = Shelf()
      root.next = shelf
      func readCount(_ options: KeyValueObservation.Options) -> Int {
        let token = root.observe(\.neighbor?.price, options: options) { _, _ in }
        root.evaluations = 0
        root.withMutation(of: \.next) { shelf.price += 1 }
        withExtendedLifetime(token) {}
        return root.evaluations
      }
      let countForNew = readCount(.new)
      #expect(readCount([]) == countForNew)
      #expect(readCount(.prior) == countForNew)
      #expect(readCount(.old) > countForNew)
    }

    @Test("P19: a mutation block of a computed key is one change for the paths to it")
    func mutationBlock() {
      let shelf = Shelf()
      let root = Shelf()
      root.next = shelf
      let token = root.observe(
        \.next?.double, options: [.old, .new], changeHandler: recorder.receives("path"))
      shelf.withMutation(of: \.double) {
        shelf.price = 2
        shelf.price = 3
      }
      #expect(recorder.take() == ["path 2→6"])
      withExtendedLifetime(token) {}
    }

    @Test(
      "P19, P25: a path that leaves a computed key between the halves of a pair receives one change"
    )
    func pair() {
      let (shelf, other, root) = (Shelf(), Shelf(), Shelf())
      (root.next, other.price) = (shelf, 5)
      let token = root.observe(
        \.next?.double, options: [.old, .new], changeHandler: recorder.receives("path"))
      shelf.willChangeValue(for: \.price)
      shelf.didChangeValue(for: \.price)
      #expect(recorder.take() == ["path 2→2"])
      shelf.willChangeValue(for: \.price)
      root.next = other
      shelf.didChangeValue(for: \.price)
      #expect(recorder.take() == ["path 2→10 path"])
      withExtendedLifetime(token) {}
    }

    @Test(
      "P35: a path to a collection that a subclass overrides receives the elements of a mutation")
    func overriddenCollection() throws {
      let shelf = SortedShelf()
      let root = Shelf()
      root.next = shelf
      let options: KeyValueObservation.Options = [.old, .new]
      let tokens = [
        root.observe(\.next?.books, options: options, changeHandler: recorder.receives("typed")),
        try root.observe(
          "next.books", options: options, changeHandler: recorder.receives("string")),
      ]
      shelf.mutableArrayValue(for: \.books).append("Faust")
      #expect(
        recorder.take() == ["typed", "string"].map { "\($0) →[\"Faust\"] insertion [0]" })
      shelf.books = []
      #expect(recorder.take() == ["typed", "string"].map { "\($0) [\"Faust\"]→[]" })
      withExtendedLifetime(tokens) {}
    }

    @Test("P30, P35: a path that reads a property of one object twice receives edits and reasons")
    func ring() {
      let shelf = Shelf()
      shelf.next = shelf
      let token = shelf.observe(
        \.next?.next?.books, options: [.old, .new], changeHandler: recorder.receives("·"))
      shelf.mutableArrayValue(for: \.books).append("Faust")
      #expect(recorder.take() == ["· →[\"Faust\"] insertion [0]"])
      shelf.next = nil
      #expect(recorder.take() == ["· [\"Faust\"]→nil path"])
      withExtendedLifetime(token) {}
    }

    @Test("P26: a path whose first object is nil is taken apart before there is one")
    func nilAtFirst() {
      let root = Shelf()
      let token = root.observe(
        \.next?.next?.double, options: [.prior, .new], changeHandler: recorder.receives("·"))
      let shelf = Shelf()
      shelf.next = Shelf()
      root.next = shelf
      #expect(recorder.take() == ["· → prior path", "· →2 path"])
      shelf.next?.price = 2
      #expect(recorder.take() == ["· → prior", "· →4"])
      withExtendedLifetime(token) {}
    }

    @Test("P11, P25: a path registered in a prior notification moves with the change that follows")
    func registeredInPrior() {
      let root = Shelf()
      root.rows = [Shelf()]
      var path: KeyValueObservation?
      let prior = root.observe(\.rows, options: .prior) { root, change in
        guard change.isPrior, path == nil else { return }
        path = root.observe(
          \.first?.price, options: [.old, .new], changeHandler: recorder.receives("path"))
      }
      let next = Shelf()
      root.rows = [next]
      #expect(recorder.take() == [])
      next.price = 7
      #expect(recorder.take() == ["path 1→7"])
      withExtendedLifetime((prior, path)) {}
    }

    @Test(
      "P27: a path to a computed key has the value delivered last as the old one of a deallocation")
    func weakInput() {
      let shelf = Shelf()
      let root = Shelf()
      root.next = shelf
      var owner: Shelf? = Shelf()
      shelf.owner = owner
      let token = root.observe(
        \.next?.ownerPrice, options: [.old, .new], changeHandler: recorder.receives("path"))
      // From now on the getter reads the weak property.
      shelf.isOwned = true
      #expect(recorder.take() == ["path 0→1"])
      owner?.price = 3
      #expect(recorder.take() == ["path 1→3"])
      owner = nil
      #expect(recorder.take() == ["path 3→-1"])
      withExtendedLifetime((token, owner)) {}
    }

    @Test("P6: a string path comes to an object of another class than the keys before declare")
    func otherClass() throws {
      let holder = LinkHolder()
      let token = try holder.observe("link.target.title", options: [.old, .new]) { _, change in
        recorder.write("·", change)
      }
      holder.link = HiddenLink()
      let link = OtherLink()
      holder.link = link
      link.target?.title = "new"
      #expect(
        recorder.take() == ["· nil→nil path", "· nil→other path", "· other→new"])
      withExtendedLifetime(token) {}
    }

    @Test("P6, P42: its last key may have values of another type there")
    func otherType() throws {
      let holder = LinkHolder()
      holder.link = HiddenLink(HiddenTarget())
      let token = try holder.observe("link.target.title", options: [.old, .new]) { _, change in
        recorder.write("·", change)
      }
      let link = NumberLink()
      holder.link = link
      link.target?.title = 2
      holder.link = HiddenLink(HiddenTarget())
      #expect(recorder.take() == ["· hidden→1 path", "· 1→2", "· 2→hidden path"])
      withExtendedLifetime(token) {}
    }

    @Test("P11, P13: a path that comes to a computed key in a mutation block has moved after it")
    func cameToComputedKeyInBlock() {
      let (shelf, former, later) = (Shelf(), Shelf(), Shelf())
      later.price = 2
      shelf.rows = [former]
      let token = shelf.observe(\.first, options: []) { shelf, _ in shelf.first?.price = 9 }
      var path: KeyValueObservation?
      shelf.withMutation(of: \.rows) {
        path = shelf.observe(
          \.first?.price, options: .new, changeHandler: recorder.receives("path"))
        shelf.rows = [later]
      }
      #expect(recorder.take() == ["path →9"])
      withExtendedLifetime((token, path)) {}
    }
  }
}
