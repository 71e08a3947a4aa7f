import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private final class Stock {
  var items = ["a", "b", "c"]
}

/// Its array is emptied after it was read so many times, as another thread may do at any moment.
private final class Restless: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  private var storedItems = ["a", "b", "c"]
  private var readsLeft: Int

  init(emptyAfterReads readsLeft: Int) {
    self.readsLeft = readsLeft
  }

  static func keyValueProperties() -> [KeyValueProperty] { [.stored("items", \Restless.items)] }

  var items: [String] {
    get {
      defer {
        readsLeft -= 1
        if readsLeft == 0 { storedItems = [] }
      }
      return storedItems
    }
    set {
      keyValueRegistrar.set(
        "items", of: self, to: newValue, read: { items }, write: { storedItems = $0 })
    }
  }
}

/// Edits that an array of three elements can take, and what they leave of one that an observer of
/// prior notifications empties.
private enum Editing: CaseIterable {
  case append, insert, assign, replaceAt, remove, removeLast, removeFirst, removeAll, removeWhere
  case removeRange, removeRest, replaceRange, replaceSame, swap, reverse, sort

  func callAsFunction(_ items: KeyValueMutableArray<String>) {
    switch self {
    case .append: items.append("x")
    case .insert: items.insert("x", at: 2)
    case .assign: items[1] = "x"
    case .replaceAt: items.replace(at: RangeSet([0..<1, 2..<3]), with: ["x", "y"])
    case .remove: #expect(items.remove(at: 2) == "c")
    case .removeLast: #expect(items.removeLast() == "c")
    case .removeFirst: #expect(items.removeFirst() == "a")
    case .removeAll: items.removeAll()
    case .removeWhere: items.removeAll { $0 > "a" }
    case .removeRange: items.removeSubrange(1..<2)
    case .removeRest: items.removeSubrange(1...)
    case .replaceRange: items.replaceSubrange(1..., with: ["x"])
    case .replaceSame: items.replaceSubrange(1..., with: ["x", "y"])
    case .swap: items.swapAt(0, 2)
    case .reverse: items.reverse()
    case .sort: items.sort(by: >)
    }
  }

  var remains: [String] {
    switch self {
    case .append: ["x"]
    default: []
    }
  }

  /// Whether the edit is for indexes that an empty array does not have.
  var isOutdated: Bool {
    switch self {
    case .append, .removeAll, .removeWhere, .reverse, .sort: false
    default: true
    }
  }
}

extension AllTests {
  @Suite("Edits of an array that was changed after they had begun")
  struct OutdatedEditTests {
    private let recorder = Recorder()

    @Test(
      "P34, P35: an edit that does not fit after a prior notification is not made, and reported",
      arguments: Editing.allCases, [false, true])
    fileprivate func changedInPrior(edit: Editing, endsObservation: Bool) {
      let diagnostics = Diagnostics()
      let stock = Stock()
      var token: KeyValueObservation?
      var isFirst = true
      token = stock.observe(\.items, options: .prior) { stock, change in
        guard change.isPrior, isFirst else { return }
        isFirst = false
        if endsObservation { token?.invalidate() }
        stock.items = []
      }
      edit(stock.mutableArrayValue(for: \.items))
      #expect(stock.items == edit.remains)
      #expect(diagnostics.take().count == (edit.isOutdated ? 1 : 0))
      stock.observationContext.checkInvariants()
      withExtendedLifetime(token) {}
    }

    @Test(
      "P34, P35: other observers receive the change of the prior callback, and nothing of the edit")
    func silence() throws {
      let diagnostics = Diagnostics()
      let stock = Stock()
      var isFirst = true
      let tokens = [
        stock.observe(\.items, options: .prior) { stock, change in
          guard change.isPrior, isFirst else { return }
          isFirst = false
          stock.items = []
        },
        stock.observe(\.items, options: [.old, .new], changeHandler: recorder.receives("·")),
      ]
      let items = try stock.mutableArrayValue(forKey: "items")
      #expect(items.remove(at: 1) as? String == "b")
      #expect(recorder.take() == [#"· ["a", "b", "c"]→[]"#])
      items.append("d")
      #expect(recorder.take() == [#"· →["d"] insertion [0]"#])
      #expect(
        diagnostics.take() == [
          """
          Stock.items: the mutation has no effect, because a prior notification of it changed the \
          array, so that its indexes 1..<2 are out of range (count 0). Do not change an array in a \
          prior notification of its own mutation.
          """
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P34, P35: nothing traps where an array changes between two reads, observed or not",
      arguments: Editing.allCases, 2...8)
    fileprivate func changedBetweenReads(edit: Editing, readCount: Int) {
      let diagnostics = Diagnostics()
      for options in [nil, [.old, .new], [.old, .new, .prior]] as [KeyValueObservation.Options?] {
        let restless = Restless(emptyAfterReads: readCount)
        let token = options.map { restless.observe(\.items, options: $0) { _, _ in } }
        edit(restless.mutableArrayValue(for: \.items))
        #expect(restless.items.count <= 4)
        token?.invalidate()
      }
      _ = diagnostics.take()
    }
  }
}
