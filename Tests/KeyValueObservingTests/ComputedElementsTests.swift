import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private final class Guest {
  var name: String
  init(_ name: String) { self.name = name }
}

@KeyValueObservable
private final class Roster {
  var rows: [Guest] = []
  weak var extra: Guest?
  var all: [Guest] { rows + (extra.map { [$0] } ?? []) }
  var names: [String] { all.map(\.name) }
}

extension AllTests {
  @Suite("Elements of computed arrays")
  struct ComputedElementsTests {
    private let recorder = Recorder()
    private let list = Roster()

    private func describe<Element>(_ change: KeyValueElementsChange<Element>) -> String {
      "-\(change.removals.map(\.offset)) +\(change.insertions.map(\.offset))"
    }

    @Test("P21: of many inputs those that are read stay inputs, in whatever order")
    func order() {
      let guests = (0..<100).map { Guest("\($0)") }
      list.rows = guests
      let token = list.observe(\.names, changeHandler: recorder.receives("·"))
      list.rows.reverse()
      list.rows.removeFirst(3)
      list.rows += list.rows.prefix(20)
      list.rows.swapAt(5, 70)
      list.rows.insert(guests[99], at: 40)
      list.rows.removeAll { $0 === guests[50] }
      #expect(recorder.take().count == 6)
      for guest in guests { guest.name += "x" }
      #expect(recorder.take().count == 97)
      let observed = guests.filter { $0.observationContext.isObjectObserved }
      #expect(observed.count == 97 && !observed.contains { $0 === guests[50] })
      #expect(list.names.allSatisfy { $0.hasSuffix("x") })
      token.invalidate()
      #expect(!guests.contains { $0.observationContext.isObjectObserved })
    }

    @Test("P37, P27: elements that stay when another is deallocated are not delivered as inserted")
    func deallocation() {
      list.rows = [Guest("a"), Guest("b")]
      var extra: Guest? = Guest("c")
      list.extra = extra
      let tokens = [
        list.observeElements(of: \.all) { list, change in
          self.recorder.write("\(self.describe(change)) of \(list.all.count)")
        },
        list.observeElements(of: \.names) { list, change in
          self.recorder.write("\(self.describe(change)) of \(list.names)")
        },
      ]
      extra = nil
      #expect(recorder.take() == ["-[] +[] of 2", "-[2] +[] of [\"a\", \"b\"]"])
      _ = extra
      list.rows.remove(at: 0)
      #expect(recorder.take() == ["-[0] +[] of 1", "-[0] +[] of [\"b\"]"])
      tokens.forEach { $0.invalidate() }
    }

    @Test("P37, P5: observing the elements of a computed array retains none of them")
    func retention() {
      var extra: Guest? = Guest("c")
      weak let remembered = extra
      list.extra = extra
      let token = list.observeElements(of: \.all) { _, _ in }
      list.rows.append(Guest("a"))
      extra = nil
      #expect(remembered == nil)
      #expect(extra == nil)
      token.invalidate()
    }
  }
}
