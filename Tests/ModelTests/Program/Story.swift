import KeyValueObserving

/// The support of a printed program besides the library: it makes its nodes, keeps its tokens and
/// records the delivered changes.
final class Story {
  private(set) var events: [Event] = []
  private let census = Census()
  private var nodeCount = 0
  private var tokens: [Int: AnyObject] = [:]
  private var changeCounts: [Int: Int] = [:]
  private var priorCounts: [Int: Int] = [:]

  func makeNode() -> Node {
    defer { nodeCount += 1 }
    return Node(number: nodeCount, census: census)
  }

  func makeBranch() -> Node {
    defer { nodeCount += 1 }
    return Branch(number: nodeCount, census: census)
  }

  /// Keeps what `register` returns, an observation or an observer, under a number.
  func observe(_ observer: Int, _ register: () throws -> AnyObject?) rethrows {
    tokens[observer] = try register()
  }

  func end(_ observer: Int) {
    let token = tokens.removeValue(forKey: observer)
    (token as? KeyValueObservation)?.invalidate()
    (token as? KeyValueObserver)?.cancel()
  }

  /// Records a change, and returns how many an observer has received, as a negative number if it is a
  /// prior notification.
  @discardableResult
  func receives<Observed>(_ observer: Int, _ change: KeyValueChange<Observed>) -> Int {
    events.append(Event(change, to: observer))
    if change.isPrior {
      priorCounts[observer, default: 0] -= 1
      return priorCounts[observer]!
    }
    changeCounts[observer, default: 0] += 1
    return changeCounts[observer]!
  }
}
