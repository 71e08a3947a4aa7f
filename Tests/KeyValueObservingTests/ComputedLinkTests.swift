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
  }
}
