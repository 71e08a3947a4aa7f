import KeyValueObserving
import TestSupport
import Testing

@testable import KeyValueObservingCore

/// Notifies of everything but its array automatically.
@KeyValueObservable
private final class Budget {
  var items = [LineItem()]
  var fee = 0
  var notes: [String] = []
  weak var best: LineItem?
  weak var shared: Invoice?
  var total: Int { items.reduce(fee) { $0 + $1.price } + notes.count }
  var bestPrice: Int { (best?.price ?? -1000) + fee }
  static func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "items" }
}

private func price(_ items: inout [LineItem], _ price: Int) {
  for item in items { item.price = price }
}

extension AllTests {
  /// The old values that observers receive if a change waits for the end of a mutation in place.
  @Suite("Old values around mutations in place")
  struct InPlaceOldValueTests {
    private let recorder = Recorder()
    private let budget = Budget()

    @Test("P19: a pair that is completed during a mutation is a part of it, and has the old value")
    func pair() {
      let token = budget.observe(
        \.total, options: [.old, .new], changeHandler: recorder.receives("total"))
      func mutate(_ items: inout [LineItem]) {
        items[0].price = 9
        budget.didChangeValue(for: \.fee)
        items[0].price = 10
      }
      budget.willChangeValue(for: \.fee)
      mutate(&budget.items)
      #expect(recorder.take() == ["total 1→10"])
      price(&budget.items, 1)
      #expect(recorder.take() == ["total →1"])
      budget.fee = 1
      #expect(recorder.take() == ["total 1→2"])
      withExtendedLifetime((token, budget)) {}
    }

    @Test("P11, P27: a change before a waiting deallocation has the value that was delivered last")
    func waitingDeallocation() {
      let invoice = Invoice()
      budget.best = invoice.items[0]
      let tokens = [
        budget.observe(
          \.bestPrice, options: [.old, .new], changeHandler: recorder.receives("computed")),
        budget.observe(
          \.best?.price, options: [.old, .new], changeHandler: recorder.receives("path")),
        invoice.observe(\.total) { _, _ in },
      ]
      func mutate(_ items: inout [LineItem]) {
        items.removeAll()
        budget.fee = 1
        budget.fee = 2
      }
      mutate(&invoice.items)
      #expect(
        recorder.take() == [
          "computed 1→-999", "computed -999→-998", "path 1→nil path", "computed -998→-998",
        ])
      withExtendedLifetime((tokens, budget)) {}
    }

    @Test("P25: a path that is led away through a weak link reports the value from before")
    func weakLink() {
      let invoice = Invoice()
      let next = Invoice()
      next.items = []
      budget.shared = invoice
      // Objects, which are not kept for the deallocation of the invoice (P5).
      let token = budget.observe(\.shared?.items, options: [.old, .new]) { _, change in
        recorder.write("\(change.oldValue??.count ?? -1) to \(change.newValue??.count ?? -1)")
      }
      func mutate(_ items: inout [LineItem]) {
        items.append(LineItem())
        budget.shared = next
      }
      mutate(&invoice.items)
      #expect(recorder.take() == ["2 to 0"])
      withExtendedLifetime((token, budget, invoice, next)) {}
    }

    @Test(
      "P11: what a mutation in a prior callback changes is delivered before the change around it")
    func inPrior() {
      let total = budget.observe(
        \.total, options: .new, changeHandler: recorder.receives("total"))
      var isFirst = true
      let prior = budget.observe(\.notes, options: .prior) { budget, change in
        if change.isPrior, isFirst {
          isFirst = false
          price(&budget.items, 50)
        }
      }
      budget.notes = ["a"]
      #expect(recorder.take() == ["total →50", "total →51"])
      withExtendedLifetime((total, prior, budget)) {}
    }

    @Test("P27: deallocations in one mutation take linear time")
    func manyDeallocations() {
      #expect(slowdown(at: 4000, measuring: timeToDeallocate) < 10)
    }

    private func timeToDeallocate(count: Int) -> Duration {
      let invoice = Invoice()
      invoice.items = (0..<count).map { _ in LineItem() }
      let budgets = invoice.items.map { item in
        let budget = Budget()
        budget.best = item
        return budget
      }
      var released = 0
      let tokens = budgets.map { $0.observe(\.best) { _, _ in released += 1 } }
      let token = invoice.observe(\.notes) { _, _ in }
      let duration = processorTime { invoice.items.removeAll() }
      #expect(released == count)
      withExtendedLifetime((tokens, token, budgets)) {}
      return duration
    }
  }
}
