import KeyValueObserving

@KeyValueObservable
final class Node {
  var x = 0
  var y = 0
  var tags: [Int] = []
  var next: Node?
  weak var friend: Node?

  var sum: Int { x + y }
  var reach: Int { y + (next?.x ?? -1) }
  var total: Int { sum + (next?.sum ?? -1) }
  var echo: Int { friend?.x ?? -1 }

  let number: Int
  @KeyValueIgnored private let census: Census

  init(number: Int, census: Census) {
    self.number = number
    self.census = census
    census.alive += 1
  }

  deinit {
    census.alive -= 1
  }
}

/// Counts the nodes that are alive.
final class Census {
  var alive = 0
}
