import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private final class Till {
  var invoice: Invoice?
  var first = [1]
  var last = [2]
  var both: [Int] { first + last }
}

/// Notifies manually of its array.
@KeyValueObservable
private final class Ledger {
  var items = [LineItem(), LineItem()]
  var total: Int { items.reduce(0) { $0 + $1.price } }
  static func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "items" }
}

private func discount(_ items: inout [LineItem], to price: Int = 0) {
  for item in items { item.price = price }
}

extension AllTests {
  /// Nothing that reads a property runs while that property is being mutated in place: each of these
  /// programs was stopped by Swift's check for exclusive access.
  @Suite("Mutations in place")
  struct InPlaceMutationTests {
    private let recorder = Recorder()

    @Test("P22: sets of elements during an in-place mutation change a total once")
    func setsDuringMutation() {
      let invoice = Invoice()
      let tokens = [
        invoice.observe(\.total, options: [.old, .new], changeHandler: recorder.receives("total")),
        invoice.observe(\.label, options: [.old, .new], changeHandler: recorder.receives("label")),
        invoice.items[0].observe(\.price, options: .new, changeHandler: recorder.receives("price")),
        invoice.observe(\.noteCount, options: .new, changeHandler: recorder.receives("notes")),
      ]
      discount(&invoice.items)
      #expect(recorder.take() == ["price →0", "total 2→0", "label total 2→total 0"])
      invoice.items.removeAll {
        $0.price += 1
        // An expression that does not read the array does not wait.
        invoice.notes.append("")
        return false
      }
      #expect(
        recorder.take() == [
          "price →1", "notes →1", "notes →2", "total 0→2", "label total 0→total 2",
        ])
      invoice.items.sort {
        ($0.price, $1.price) = (2, 3)
        return false
      }
      #expect(recorder.take().suffix(2) == ["total 2→5", "label total 2→total 5"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11: a scope around an in-place mutation holds back its totals")
    func setsInScope() {
      let invoice = Invoice()
      let token = invoice.observe(
        \.total, options: [.old, .new], changeHandler: recorder.receives("total"))
      invoice.withMutation(of: \.items) { discount(&invoice.items, to: 3) }
      #expect(recorder.take() == ["total 2→6"])
      discount(&invoice.items)
      #expect(recorder.take() == ["total 6→0"])
      token.invalidate()
    }

    @Test("P20: a total of an array that does not notify changes when its mutation has ended")
    func silentMutation() {
      let ledger = Ledger()
      let token = ledger.observe(\.total, options: .new, changeHandler: recorder.receives("total"))
      discount(&ledger.items)
      #expect(recorder.take() == ["total →0"])
      ledger.items[1].price = 4
      #expect(recorder.take() == ["total →4"])
      token.invalidate()
    }

    @Test(
      "P22: one call that mutates two properties in place changes what is computed from both once")
    func twoProperties() {
      let till = Till()
      let token = till.observe(
        \.both, options: [.old, .new], changeHandler: recorder.receives("both"))
      swap(&till.first, &till.last)
      #expect(recorder.take() == ["both [1, 2]→[2, 1]"])
      till.first.append(3)
      #expect(recorder.take() == ["both [2, 1]→[2, 3, 1]"])
      token.invalidate()
    }

    @Test(
      "P25: a path that is led away from a property while that is mutated in place reports its value"
    )
    func pathLedAway() {
      let invoice = Invoice()
      let next = Invoice()
      next.notes = ["c"]
      let till = Till()
      till.invoice = invoice
      invoice.notes = ["a"]
      let tokens = [
        till.observe(
          \.invoice?.notes, options: [.old, .new], changeHandler: recorder.receives("notes")),
        till.observe(
          \.invoice?.noteCount, options: [.old, .new], changeHandler: recorder.receives("count")),
        try? till.observe("invoice.notes", options: [.old, .new]) { _, change in
          recorder.write("key \(change.oldValue!!)→\(change.newValue!!) \(change.reason)")
        },
      ]
      invoice.notes.removeAll { _ in
        till.invoice = next
        return true
      }
      #expect(
        recorder.take() == [
          #"notes ["a"]→["c"] path"#, #"key ["a"]→["c"] pathChanged"#, "count 1→1 path",
        ])
      invoice.notes.append("silent")
      next.notes.append("d")
      #expect(
        recorder.take() == [
          #"notes ["c"]→["c", "d"]"#, #"key ["c"]→["c", "d"] valueChanged"#, "count 1→2",
        ])
      invoice.observationContext.checkInvariants()
      withExtendedLifetime(tokens) {}
    }

    @Test("P31: an observation that is ended during an in-place mutation is not called after it")
    func endedMeanwhile() {
      let invoice = Invoice()
      var token: KeyValueObservation?
      let other = invoice.observe(\.label, options: .new, changeHandler: recorder.receives("label"))
      token = invoice.observe(\.total, options: .new, changeHandler: recorder.receives("total"))
      invoice.items.removeAll {
        $0.price = 5
        token?.invalidate()
        return false
      }
      #expect(recorder.take() == ["label →total 10"])
      other.invalidate()
      #expect(!invoice.observationContext.isObjectObserved)
    }

    @Test("P17: an in-place mutation that throws delivers what has waited for it")
    func throwing() {
      struct Failure: Error {}
      let invoice = Invoice()
      let token = invoice.observe(\.total, options: .new, changeHandler: recorder.receives("total"))
      #expect(throws: Failure.self) {
        try invoice.items.removeAll {
          $0.price = 7
          throw Failure()
        }
      }
      #expect(recorder.take() == ["total →8"])
      token.invalidate()
    }

    @Test("P38: a mutation whose task is suspended does not keep back what other tasks change")
    @MainActor func suspended() async {
      let invoice = Invoice()
      let token = invoice.observe(\.total, options: .new, changeHandler: recorder.receives("total"))
      let gate = AsyncStream.makeStream(of: Void.self)
      let mutation = Task { @MainActor in
        await mutate(&invoice.items, until: gate.stream)
      }
      await Task.yield()
      let other = Invoice()
      let otherToken = other.observe(
        \.total, options: .new, changeHandler: recorder.receives("other"))
      discount(&other.items)
      #expect(recorder.take() == ["other →0"])
      gate.continuation.finish()
      await mutation.value
      #expect(recorder.take() == ["total →18"])
      discount(&invoice.items)
      #expect(recorder.take() == ["total →0"])
      withExtendedLifetime((token, otherToken)) {}
    }

    @MainActor
    private func mutate(_ items: inout [LineItem], until stream: AsyncStream<Void>) async {
      items[0].price = 9
      for await _ in stream {}
      items[1].price = 9
    }

    @Test("P8: a mutation whose task goes on on another thread is protected there, too")
    func migrated() async {
      for _ in 0..<20 {
        let invoice = Invoice()
        let seen = Recorder()
        let token = invoice.observe(
          \.total, options: [.old, .new], changeHandler: seen.receives("total"))
        await mutateElsewhere(&invoice.items)
        #expect(seen.take() == ["total 2→10"])
        discount(&invoice.items)
        #expect(seen.take() == ["total 10→0"])
        token.invalidate()
      }
    }

    private func mutateElsewhere(_ items: inout [LineItem]) async {
      items[0].price = 3
      for _ in 0..<5 { await Task.detached {}.value }
      for item in items { item.price = 5 }
    }
  }
}
