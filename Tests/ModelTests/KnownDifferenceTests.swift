import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable private final class Resetting {
  var x = 0
  var y = 0 {
    didSet { x = 0 }
  }
  var sum: Int { x + y }
}

/// The smallest programs for which the library did something else than is promised, or the model did.
@Suite("Known differences")
struct KnownDifferenceTests {
  private final class Record {
    var lines: [String] = []
  }

  private let record = Record()
  private let node: Node
  private let other: Node
  private let branch: Branch

  init() {
    let census = Census()
    node = Node(number: 0, census: census)
    other = Node(number: 1, census: census)
    branch = Branch(number: 2, census: census)
  }

  /// Observes old and new values, and calls a closure with the number of each change.
  private func observe<Value>(
    _ name: String, _ node: Node, _ keyPath: KeyPath<Node, Value>,
    _ then: @escaping (_ count: Int) -> Void = { _ in }
  ) -> KeyValueObservation {
    var count = 0
    return node.observe(keyPath, options: [.old, .new]) { [record] _, change in
      record.lines.append("\(name): \(change)")
      count += 1
      then(count)
    }
  }

  @Test("P19, P25: a path that moves inside a pair of one of its keys is notified of the pair")
  func movedInsidePair() {
    let token = observe("path", node, \.friend?.next?.next?.x)
    node.next = other
    node.friend = other
    other.willChangeValue(for: \.next)
    node.friend = node
    record.lines = []
    other.didChangeValue(for: \.next)
    #expect(record.lines == ["path: setting from nil to nil, path changed"])
    withExtendedLifetime(token) {}
  }

  @Test("P11, P19: a path that leaves a key in a block goes on to observe a computed key with it")
  func movedInsideBlock() {
    node.friend = node
    node.next = node
    other.friend = node
    let token = observe("path", node, \.next?.friend?.echo)
    node.withMutation(of: \.friend) {
      node.next = other
      node.friend = nil
    }
    #expect(
      record.lines == [
        "path: setting from 0 to 0, path changed", "path: setting from 0 to -1",
      ])
    node.next = nil
    withExtendedLifetime(token) {}
  }

  @Test("P11, P19: so it does if it leaves the key in a pair")
  func movedInsidePairOfInput() {
    node.friend = node
    node.next = node
    other.friend = node
    let token = observe("path", node, \.next?.friend?.echo)
    node.willChangeValue(for: \.friend)
    node.next = other
    node.didChangeValue(for: \.friend)
    #expect(
      record.lines == [
        "path: setting from 0 to 0, path changed", "path: setting from 0 to 0",
      ])
    node.next = nil
    withExtendedLifetime(token) {}
  }

  @Test("P10: a path that meets an object at a later index is notified in the order of attaching")
  func pathAtLaterIndex() {
    let first = Node(number: 3, census: Census())
    first.next = node
    let tokens = [observe("path", first, \.next?.next?.next?.x), observe("next", node, \.next)]
    other.next = node
    first.next = other
    record.lines = []
    node.next = nil
    #expect(record.lines.map { $0.prefix(4) } == ["path", "next"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P10: a path to a computed key is notified in the order of attaching")
  func pathToComputedKey() {
    node.next = other
    let tokens = [observe("path", node, \.next?.sum), observe("key", other, \.sum)]
    other.willChangeValue(for: \.sum)
    other.didChangeValue(for: \.sum)
    #expect(record.lines == ["path: setting from 0 to 0", "key: setting from 0 to 0"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P10: a path to a property that a subclass computes is notified in the order of attaching")
  func pathToOverride() {
    node.next = branch
    let tokens = [observe("path", node, \.next?.y), observe("key", branch, \.y)]
    branch.y = 1
    #expect(record.lines == ["path: setting from 0 to 1", "key: setting from 0 to 1"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P11, P19: what a callback changes while a block is open chains with the change before")
  func setInBlock() {
    let tokens = [
      observe("sum", node, \.sum),
      observe("x", node, \.x) { [node] in if $0 == 1 { node.x = 0 } },
    ]
    node.withMutation(of: \.y) { node.x = 1 }
    #expect(
      record.lines == [
        "x: setting from 0 to 1", "sum: setting from 0 to 1", "x: setting from 1 to 0",
        "sum: setting from 1 to 0", "sum: setting from 0 to 0",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test("P11, P19: the change of a pair that a callback completes follows the changes before it")
  func pairInCallback() {
    node.friend = node
    let tokens = [
      observe("sum", node, \.sum) { [node] in
        if $0 == 1 { for number in 3...4 { node.x = number } }
      },
      observe("echo", node, \.echo) { [node] in if $0 == 1 { node.didChangeValue(for: \.sum) } },
    ]
    node.willChangeValue(for: \.sum)
    node.x = 1
    #expect(
      record.lines.filter { $0.hasPrefix("sum") } == [
        "sum: setting from 0 to 1", "sum: setting from 1 to 3", "sum: setting from 3 to 4",
        "sum: setting from 0 to 4",
      ])
    node.friend = nil
    withExtendedLifetime(tokens) {}
  }

  @Test("P11, P19: and it follows all of them, also if the callback is of the last one but one")
  func pairInLaterCallback() {
    // Both observers of the key receive the last set before the first one receives the pair.
    func observation(_ number: Int, _ actions: [Statement] = []) -> Statement {
      .observe(
        Registration(
          observer: number, root: 0, path: [.sum], options: [], surface: .typed, actions: actions))
    }
    let program = Program(statements: [
      observation(0), .will(0, .sum, byKey: false),
      observation(1, [.burst(0, .x, 3..<5), .did(0, .sum, byKey: false)]), .set(0, .x, .number(1)),
    ])
    #expect(Difference.find(in: program).map { "\($0)" } == nil)
    #expect(EngineRun.run(program).history[3].map(\.observer) == [0, 1, 0, 1, 0, 1, 0])
  }

  @Test("P11, P19: the changes of a block that a callback makes are delivered in their order")
  func blockInCallback() {
    let token = observe("sum", node, \.sum) { [node] in
      guard $0 == 1 else { return }
      node.withMutation(of: \.y) {
        node.x = 0
        node.y = 1
      }
    }
    node.x = 7
    #expect(
      record.lines == [
        "sum: setting from 0 to 7", "sum: setting from 7 to 0", "sum: setting from 0 to 1",
      ])
    withExtendedLifetime(token) {}
  }

  @Test("P11, P25: a change of a path that a block has begun has the old value that it has come to")
  func setInBlockThatHasBegun() {
    node.next = other
    var lines: [String] = []
    let tokens = [
      node.observe(\.next) { node, _ in node.x = 3 },
      node.observe(\.next?.reach, options: .old) { _, change in lines.append("\(change)") },
    ]
    other.withMutation(of: \.reach) { node.next = node }
    #expect(lines == ["setting from -1, path changed", "setting from 0"])
    node.next = nil
    withExtendedLifetime(tokens) {}
  }

  @Test("P11, P26: a path that comes to a computed key in a block starts from the value there")
  func pathIntoBlock() {
    var lines: [String] = []
    let tokens = [
      other.observe(\.next?.sum, options: [.old, .new, .prior]) { _, change in
        lines.append("\(change)")
      },
      observe("sum", node, \.sum),
    ]
    node.withMutation(of: \.x) {
      node.x = 1
      other.next = node
      node.y = 2
    }
    #expect(
      lines == [
        "prior setting from nil, path changed", "setting from nil to 1, path changed",
        "prior setting from 1", "setting from 1 to 3", "setting from 3 to 3",
      ])
    #expect(record.lines == ["sum: setting from 0 to 3", "sum: setting from 3 to 3"])
    other.next = nil
    withExtendedLifetime(tokens) {}
  }

  @Test("P11: the change of a setter in a callback follows those that its `didSet` makes")
  func setterInCallback() {
    let object = Resetting()
    var lines: [String] = []
    let token = object.observe(\.sum, options: [.old, .new]) { object, change in
      lines.append("\(change)")
      if lines.count == 1 { object.y = 1 }
    }
    object.x = 7
    #expect(lines == ["setting from 0 to 7", "setting from 7 to 1", "setting from 1 to 1"])
    withExtendedLifetime(token) {}
  }

  @Test("P11, P19: a pair for elements follows the setter inside, also if both wait")
  func waitingPair() {
    var count = 0
    let tokens = [
      node.observe(\.next?.friend?.tags) { [other] _, _ in
        other.willChange(.insertion, valuesAt: RangeSet(0..<1), for: \.tags)
        other.tags.insert(1, at: 0)
        other.didChange(.insertion, valuesAt: RangeSet(0..<1), for: \.tags)
      },
      node.observe(\.next?.tags, options: .initial) { [record, other] node, change in
        count += 1
        if count == 1 { return node.next = other }
        record.lines.append("path: \(change.kind)")
      },
    ]
    #expect(record.lines == ["path: setting", "path: setting", "path: insertion"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P11: the last change of a property that a subclass computes has its value")
  func overrideInCallback() {
    let tokens = [
      observe("reach", branch, \.reach) { [branch] in if $0 == 1 { branch.y = 3 } },
      observe("y", branch, \.y),
    ]
    branch.bonus = 2
    #expect(
      record.lines.filter { $0.hasPrefix("y") } == [
        "y: setting from 0 to 2", "y: setting from 2 to 3",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test("P27: the old value of a deallocation is the one that was delivered last")
  func deallocationAfterBlock() {
    var friend: Node? = Node(number: 3, census: Census())
    node.friend = friend
    let token = observe("echo", node, \.echo)
    node.withMutation(of: \.echo) { node.tags = [1] }
    friend = nil
    #expect(record.lines == ["echo: setting from 0 to 1", "echo: setting from 1 to 0"])
    withExtendedLifetime((token, friend)) {}
  }

  @Test("P27: the old value of a deallocation is the one that an initial notification has set")
  func deallocationAfterInitial() {
    var friend: Node? = Node(number: 3, census: Census())
    weak let target = friend
    node.friend = friend
    let token = node.observe(\.friend?.tags, options: [.initial, .old]) { [record] _, change in
      if record.lines.isEmpty { target?.tags.append(0) }
      record.lines.append("\(change)")
    }
    friend = nil
    #expect(record.lines.last?.contains("[0]") == true, "\(record.lines)")
    withExtendedLifetime((token, friend)) {}
  }

  @Test("P25, P38: a path in a ring that ends in a property that a subclass computes moves safely")
  func ring() async {
    // Memory that is read after its release may be unchanged, so the invariants are checked.
    await #expect(processExitsWith: .success) {
      let census = Census()
      let branch = Branch(number: 0, census: census)
      let node = Node(number: 1, census: census)
      node.next = branch
      branch.next = branch
      let token = try branch.observe("next.next.y") { _, _ in }
      branch.next = node
      for object in [branch, node] { object.observationContext.checkInvariants() }
      branch.next = nil
      for object in [branch, node] { object.observationContext.checkInvariants() }
      token.invalidate()
      node.next = nil
    }
  }
}
