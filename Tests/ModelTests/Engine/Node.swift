import KeyValueObserving

@KeyValueObservable
class Node {
  var x = 0
  var y = 0
  var tags: [Int] = []
  var next: Node?
  weak var friend: Node?

  var sum: Int { x + y }
  var reach: Int { y + (next?.x ?? -1) }
  var total: Int { sum + (next?.sum ?? -1) }
  var echo: Int { (friend?.x ?? -1) + tags.count }

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

/// Computes a property that its superclass stores, and another one than its superclass does.
@KeyValueObservable
final class Branch: Node {
  var bonus = 0

  override var y: Int {
    get { super.y + bonus }
    set { super.y = newValue - bonus }
  }
  override var sum: Int { super.sum + bonus }
}

/// Counts the nodes that are alive.
final class Census {
  var alive = 0
}

struct Refusal: Error {}

extension [Int] {
  mutating func append(_ element: Int, failing error: some Error) throws {
    append(element)
    throw error
  }
}
