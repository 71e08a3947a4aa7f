import KeyValueObserving
import Testing

@KeyValueObservable
private final class Node {
  var name: String
  var rank = 0
  var boss: Node?
  let number = 7
  var summary: String { "\(name) \(rank) \(boss?.name ?? "-")" }

  init(_ name: String) { self.name = name }
}

private struct Pair {
  var left: Node
  var count = 0
}

@KeyValueObservable
private final class Holder {
  var reports: [Node]
  var byName: [String: Node]
  var pair: Pair
  var choice: Node?

  init(_ name: String) {
    reports = [Node(name), Node("other")]
    byName = ["k": Node(name)]
    pair = Pair(left: Node(name))
  }
}

extension Array where Element == Node {
  fileprivate var totalRank: Int { map(\.rank).reduce(0, +) }
}

extension AllTests {
  @Suite("Reasons behind subscripts and values")
  struct ReasonBehindValueTests {
    private let recorder = Recorder()
    private let holder = Holder("a")

    @Test("P26, P28: what leads to the last object is a link, a set of the last key is not")
    func links() {
      let tokens = [
        holder.observe(
          \.reports[0].name, options: [.old, .new], changeHandler: recorder.receives("array")),
        holder.observe(
          \.byName["k"]!.name, options: [.old, .new], changeHandler: recorder.receives("dictionary")
        ),
        holder.observe(
          \.pair.left.name, options: [.old, .new], changeHandler: recorder.receives("value")),
      ]
      holder.reports = [Node("b")]
      holder.byName = ["k": Node("b")]
      holder.pair = Pair(left: Node("b"))
      #expect(recorder.take() == ["array a→b path", "dictionary a→b path", "value a→b path"])
      holder.reports[0].name = "c"
      holder.byName["k"]!.name = "c"
      holder.pair.left.name = "c"
      // Reading an element from the outside writes nothing.
      #expect(recorder.take() == ["array b→c", "dictionary b→c", "value b→c"])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P26, P28: a write beside the link is a change of the link, as setting the same object is")
    func sameObject() {
      let token = holder.observe(
        \.pair.left.name, options: [.old, .new], changeHandler: recorder.receives("·"))
      holder.pair.count = 1
      holder.pair = holder.pair
      #expect(recorder.take() == ["· a→a path", "· a→a path"])
      withExtendedLifetime(token) {}
    }

    @Test("P26: a link that is nil or comes from nil is one as well")
    func fromNil() {
      holder.byName = [:]
      let tokens = [
        holder.observe(
          \.byName["k"]?.name, options: [.old, .new], changeHandler: recorder.receives("·")),
        holder.observe(
          \.byName["k"]?.number, options: .new, changeHandler: recorder.receives("constant")),
      ]
      holder.byName = ["k": Node("b")]
      #expect(recorder.take().first == "· nil→b path")
      holder.byName = [:]
      #expect(recorder.take().first == "· b→nil path")
      holder.byName = ["k": Node("c")]
      #expect(recorder.take().first == "· nil→c path")
      holder.byName["k"]?.name = "d"
      #expect(recorder.take() == ["· c→d"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P26: several links, and a computed last key that reads through links of its own")
    func computed() {
      let tokens = [
        holder.observe(
          \.reports[0].boss?.name, options: .new, changeHandler: recorder.receives("name")),
        holder.observe(
          \.reports[0].summary, options: .new, changeHandler: recorder.receives("summary")),
      ]
      let node = holder.reports[0]
      node.boss = Node("b")
      #expect(recorder.take() == ["name →b path", "summary →a 0 b"])
      node.boss?.name = "c"
      #expect(recorder.take() == ["name →c", "summary →a 0 c"])
      node.rank = 1
      #expect(recorder.take() == ["summary →a 1 c"])
      holder.reports = [Node("n")]
      #expect(recorder.take() == ["name →nil path", "summary →n 0 - path"])
      withExtendedLifetime((tokens, node)) {}
    }

    @Test("P26: what is computed from all elements is a value of the collection")
    func total() {
      let token = holder.observe(
        \.reports.totalRank, options: .new, changeHandler: recorder.receives("total"))
      holder.reports[0].rank = 1
      holder.reports[1].rank = 1
      holder.reports = []
      holder.reports = [Node("n")]
      holder.reports[0].rank = 3
      #expect(recorder.take() == ["total →1", "total →2", "total →0", "total →0", "total →3"])
      withExtendedLifetime(token) {}
    }
  }
}
