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

@Suite struct ReachableObjects {
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
