import KeyValueObserving
import Testing

private struct Box: Equatable {
  var left = 0
  var top = 0
  var width = 0
  var height = 0
  var depth = 0
}

@KeyValueObservable
private final class Side {
  var count = 0
  var level = 0 {
    didSet {}
  }
  var box = Box()
  var tags: [String] = []
  weak var parent: Owner?
  unowned var owner: Owner

  init(of owner: Owner) { self.owner = owner }
}

private final class Owner {}

extension AllTests {
  /// A change of a bound key is a transaction with what its bindings write, whichever way it is made.
  @Suite("Ways in of a change of a bound key")
  struct BoundWayInTests {
    private let recorder = Recorder()
    private let owner = Owner()
    private let other = Owner()
    private let first: Side
    private let second: Side

    init() {
      first = Side(of: owner)
      second = Side(of: owner)
    }

    /// Checks that an observer which is registered before the binding finds both sides equal.
    private func check<Subject: KeyValueObservable>(
      _ first: Subject, _ second: Subject, _ key: String, areEqual: () -> Bool,
      change: () throws -> Void
    ) throws {
      try withoutActuallyEscaping(areEqual) { areEqual in
        let token = try first.observe(key) { _, _ in
          recorder.write(areEqual() ? "equal" : "not equal")
        }
        let binding = try first.bind(key, to: second, key)
        try change()
        #expect(recorder.take() == ["equal"])
        binding.invalidate()
        token.invalidate()
      }
    }

    @Test("P64: both sides are equal before the first observer is called, if a property is set")
    func properties() throws {
      try check(first, second, "count", areEqual: { first.count == second.count }) {
        first.count = 1
      }
      try check(first, second, "level", areEqual: { first.level == second.level }) {
        first.level = 1
      }
      try check(first, second, "box", areEqual: { first.box == second.box }) {
        first.box = Box(depth: 1)
      }
      try check(first, second, "parent", areEqual: { first.parent === second.parent }) {
        first.parent = other
      }
      try check(first, second, "owner", areEqual: { first.owner === second.owner }) {
        first.owner = other
      }
    }

    @Test("P64: and if a collection is edited by its proxy, or changed in a mutation block")
    func edits() throws {
      try check(first, second, "tags", areEqual: { first.tags == second.tags }) {
        first.mutableArrayValue(for: \.tags).append("a")
      }
      try check(first, second, "tags", areEqual: { first.tags == second.tags }) {
        first.withMutation(of: \.tags) { first.tags = ["b", "c"] }
      }
      try check(first, second, "tags", areEqual: { first.tags == second.tags }) {
        try? first.withMutation(of: \.tags) {
          first.tags = []
          throw CancellationError()
        }
      }
      #expect(second.tags == [])
    }

    @Test("P64: and if a property is set of a class that is written by hand, or an entry")
    func entries() throws {
      let (node, otherNode) = (HandWrittenNode(), HandWrittenNode())
      try check(node, otherNode, "count", areEqual: { node.count == otherNode.count }) {
        node.count = 1
      }
      let (dictionary, copy): (KeyValueDictionary, KeyValueDictionary) = (["a": 0], ["a": 0])
      try check(
        dictionary, copy, "a", areEqual: { dictionary["a"] as? Int == copy["a"] as? Int }
      ) {
        dictionary["a"] = 1
      }
      let (source, otherSource) = (WidgetSource(["upper": 1.0]), WidgetSource(["upper": 1.0]))
      try check(
        source, otherSource, "upper",
        areEqual: { source["upper"] as? Double == otherSource["upper"] as? Double }
      ) {
        source["upper"] = 2.0
      }
    }
  }
}
