import KeyValueObserving
import Testing

@KeyValueObservable
private final class Page {
  var title = "a"
}

/// An object of a graph, of which nothing is recorded.
private final class Fork: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  nonisolated(unsafe) static var visits = 0
  private let child: (any KeyValueObservable)?

  init(_ child: (any KeyValueObservable)?) { self.child = child }

  static func keyValueProperties() -> [KeyValueProperty] {
    [.constant("left", \Fork.left), .constant("right", \Fork.right)]
  }

  var left: (any KeyValueObservable)? {
    Fork.visits += 1
    return child
  }
  var right: (any KeyValueObservable)? { child }
}

/// An object that refers to several forks at once.
@KeyValueObservable
private final class Root {
  fileprivate var forks: [Fork] = []
}

/// An object that equals others.
@KeyValueObservable
private final class Tag: Hashable {
  let name: String
  var color = 0

  init(_ name: String) { self.name = name }

  static func == (left: Tag, right: Tag) -> Bool { left.name == right.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@KeyValueObservable
private final class Board {
  fileprivate var tags: Set<Tag> = [Tag("a")]
}

@Suite struct ReachableObjects {
  @Test("P49, P58: an equal object that a transaction puts into a set is recorded from then on")
  func exchanged() throws {
    let (board, tag) = (Board(), Tag("a"))
    let history = KeyValueHistory(of: board, includingReachable: true)
    let tags = board.mutableSetValue(for: \.tags)
    withKeyValueTransaction {
      tags.update(with: tag)
      tags.insert(Tag("b"))
    }
    #expect(board.tags.contains { $0 === tag })
    tag.color = 1
    try history.undo()
    #expect(tag.color == 0)
  }

  @Test("P58: an object without recordable properties is visited once, however many refer to it")
  func visits() throws {
    let page = Page()
    var top = Fork(page)
    for _ in 0..<12 { top = Fork(top) }
    Fork.visits = 0
    let history = KeyValueHistory(of: top, includingReachable: true)
    #expect(Fork.visits == 13)
    page.title = "b"
    try history.undo()
    #expect(page.title == "a")
    Fork.visits = 0
    let root = Root()
    let other = KeyValueHistory(of: root, includingReachable: true)
    root.forks = [Fork(top), Fork(top), Fork(top)]
    #expect(Fork.visits == 16)
    withExtendedLifetime(other) {}
  }
}
