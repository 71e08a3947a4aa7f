import KeyValueObserving
import Testing

@KeyValueObservable
private final class Ware {
  var price: Int
  var name = ""

  init(_ price: Int) { self.price = price }
}

@KeyValueObservable
private final class Stall {
  var items: [Ware]
  var cheapest: Ware? { items.min { $0.price < $1.price } }

  init(_ items: [Ware]) { self.items = items }
}

@KeyValueObservable
private final class Step {
  var value = 0
  var next: Step?
  var double: Int { 2 * value }
}

@KeyValueObservable
private final class Purchase {
  var line: Any?
}

@KeyValueObservable
private class Shelf {
  var best: Ware?

  init(_ best: Ware?) { self.best = best }
}

@KeyValueObservable
private final class SortedShelf: Shelf {
  var items: [Ware]
  override var best: Ware? {
    get { items.min { $0.price < $1.price } }
    set {}
  }

  init(_ items: [Ware]) {
    self.items = items
    super.init(nil)
  }
}

@KeyValueObservable
private final class Market {
  var shelf: Shelf

  init(_ shelf: Shelf) { self.shelf = shelf }
}

@KeyValueObservable
private final class Rack {
  var labels = ["a", "b"]
  var marks: Set<Int> = [1, 2]
  var spare: Rack?
  var current: Rack? { spare }
}

extension AllTests {
  /// Key paths with intermediate keys that getters compute, or whose values are of several types.
  @Suite struct ComputedLinks {
    private let recorder = Recorder()
    private let options: KeyValueObservation.Options = [.old, .new]

    @Test(
      "P22, P24, P25: a path behind a computed key that reads its last key has one change for each set"
    )
    func lastKeyRead() throws {
      let stall = Stall([Ware(1), Ware(2)])
      let tokens = [
        stall.observe(
          \.cheapest?.price, options: options, changeHandler: recorder.receives("typed")),
        try stall.observe(
          "cheapest.price", options: options, changeHandler: recorder.receives("string")),
      ]
      stall.items[0].price = 0
      #expect(recorder.take() == ["typed 1→0 path", "string 1→0 path"])
      stall.items[0].price = 5
      #expect(recorder.take() == ["typed 0→2 path", "string 0→2 path"])
      stall.items[0].price = 7
      #expect(recorder.take() == ["typed 2→2 path", "string 2→2 path"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P22: it has one prior notification for each set, too")
    func priors() {
      let stall = Stall([Ware(1), Ware(2)])
      var priors = 0
      let token = stall.observe(\.cheapest?.price, options: .prior) { _, change in
        if change.isPrior { priors += 1 }
      }
      stall.items[0].price = 0
      #expect(priors == 1)
      withExtendedLifetime(token) {}
    }

    @Test(
      "P11, P26: a change of the last key that the computed key does not read is one of the value")
    func lastKeyNotRead() {
      let stall = Stall([Ware(1), Ware(2)])
      let token = stall.observe(
        \.cheapest?.name, options: options, changeHandler: recorder.receives("name"))
      stall.items[0].name = "a"
      stall.items[1].name = "b"
      stall.items[0].price = 3
      #expect(recorder.take() == ["name →a", "name a→b path"])
      withExtendedLifetime(token) {}
    }

    @Test("P11: a path that a prior handler leads to a computed key receives the change")
    func ledByPriorHandler() {
      let (first, second, root) = (Step(), Step(), Step())
      root.next = first
      let tokens = [
        second.observe(\.value, options: .prior) { _, change in
          if change.isPrior { root.next = second }
        },
        root.observe(
          \.next?.double, options: options, changeHandler: recorder.receives("double")),
      ]
      second.value = 7
      #expect(recorder.take() == ["double 0→0 path", "double 0→14"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P26: an intermediate key is one again when it has an object in place of a collection")
    func objectAfterCollection() throws {
      let purchase = Purchase()
      purchase.line = Ware(1)
      var reasons: [KeyValueChangeReason] = []
      let token = try purchase.observe("line.price", options: .new) { _, change in
        reasons.append(change.reason)
      }
      purchase.line = [Ware(1)]
      purchase.line = Ware(1)
      purchase.line = Ware(2)
      #expect(reasons == [.pathChanged, .pathChanged, .pathChanged])
      withExtendedLifetime(token) {}
    }

    @Test("P10, P46: a transaction notifies it among the observers of its last key")
    func orderInTransaction() {
      let (ware, other) = (Ware(1), Ware(2))
      let stall = Stall([ware])
      let tokens = [
        stall.observe(\.cheapest?.name, changeHandler: recorder.receives("path")),
        ware.observe(\.name, changeHandler: recorder.receives("key")),
        other.observe(\.name, changeHandler: recorder.receives("other")),
      ]
      withKeyValueTransaction {
        ware.name = "a"
        other.name = "b"
      }
      #expect(recorder.take() == ["path →", "key →", "other →"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P22, P26: a link whose property becomes a computed one is received in all phases")
    func computedInSubclass() {
      let ware = Ware(1)
      let market = Market(Shelf(ware))
      let token = market.observe(
        \.shelf.best?.price, options: options, changeHandler: recorder.receives("·"))
      market.shelf = SortedShelf([ware, Ware(2)])
      ware.price = 5
      #expect(recorder.take() == ["· 1→1 path", "· 1→2 path"])
      withExtendedLifetime(token) {}
    }

    @Test("P2, P35: the prior notification of an edit has its kind, indexes and old elements")
    func priorsOfEdits() throws {
      let (root, rack) = (Rack(), Rack())
      root.spare = rack
      let options: KeyValueObservation.Options = [.prior, .old, .new]
      let tokens = [
        root.observe(
          \.current?.labels, options: options, changeHandler: recorder.receives("typed")),
        try root.observe(
          "current.labels", options: options, changeHandler: recorder.receives("string")),
        try root.observe(
          "current.marks", options: options, changeHandler: recorder.receives("marks")),
      ]
      rack.mutableArrayValue(for: \.labels)[1] = "c"
      #expect(
        recorder.take() == [
          #"typed ["b"]→ replacement [1] prior"#, #"string ["b"]→ replacement [1] prior"#,
          #"typed ["b"]→["c"] replacement [1]"#, #"string ["b"]→["c"] replacement [1]"#,
        ])
      rack.mutableArrayValue(for: \.labels).insert("d", at: 0)
      #expect(
        recorder.take() == [
          "typed → insertion [0] prior", "string → insertion [0] prior",
          #"typed →["d"] insertion [0]"#, #"string →["d"] insertion [0]"#,
        ])
      rack.mutableSetValue(for: \.marks).remove(2)
      #expect(recorder.take() == ["marks [2]→ removal prior", "marks [2]→ removal"])
      withExtendedLifetime(tokens) {}
    }
  }
}
