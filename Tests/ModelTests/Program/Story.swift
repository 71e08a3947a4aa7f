import KeyValueObserving

/// What a printed program needs besides the library: it makes its nodes, keeps its tokens and writes
/// down what is heard.
final class Story {
  private(set) var events: [Event] = []
  private let census = Census()
  private var nodeCount = 0
  private var tokens: [Int: AnyObject] = [:]
  private var registering: Set<Int> = []
  private var changeCounts: [Int: Int] = [:]

  func makeNode() -> Node {
    defer { nodeCount += 1 }
    return Node(number: nodeCount, census: census)
  }

  /// Keeps what `register` returns, an observation or an observer, under a number.
  func observe(_ observer: Int, _ register: () throws -> AnyObject?) rethrows {
    registering.insert(observer)
    defer { registering.remove(observer) }
    tokens[observer] = try register()
  }

  func end(_ observer: Int) {
    let token = tokens.removeValue(forKey: observer)
    (token as? KeyValueObservation)?.invalidate()
    (token as? KeyValueObserver)?.cancel()
  }

  /// Writes a change down, and says how many an observer has heard that it may act on: neither one
  /// that is about to be made nor the first of a registration.
  @discardableResult
  func hears<Observed>(_ observer: Int, _ change: KeyValueChange<Observed>) -> Int {
    events.append(Event(change, to: observer))
    if change.isPrior || registering.contains(observer) { return 0 }
    changeCounts[observer, default: 0] += 1
    return changeCounts[observer]!
  }
}
