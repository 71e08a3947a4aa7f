internal import CKeyValueObserving

/// Counts the changes that the observers of one key make while they receive changes of it, and says
/// when they are a loop (P18).
///
/// The change that nothing waits for is of generation 0. A change that an observer makes while it
/// receives one of generation *n* is of generation *n* + 1, however many the observer makes, so a
/// callback that makes a thousand changes and stops is no loop. Prior notifications count as well: a
/// change that is made in that of another one is of a later generation.
struct LoopLimit {
  /// The generation of the change that is being delivered.
  private(set) var generation = 0
  /// How many prior notifications are around its delivery.
  private var priorDepth = 0
  private var changeCount = 0
  /// How many changes were made while the one that is being delivered was.
  private var childCount = 0
  private var greatestChildCount = 0

  static var generationLimit: Int { 100 }
  /// An observer that makes a change in the last generations before the limit is taken for a cause.
  private static var suspicionCount: Int { 10 }
  private static var growthLimit: Int { 100_000 }

  /// Counts a change that has to wait for the one that is being delivered.
  ///
  /// Returns its generation.
  mutating func countChange() -> Int {
    changeCount += 1
    childCount += 1
    greatestChildCount = Swift.max(greatestChildCount, childCount)
    return generation + 1 + ThreadState.current.priorDepth - priorDepth
  }

  mutating func beginDelivery(of generation: Int) {
    self.generation = generation
    priorDepth = ThreadState.current.priorDepth
    childCount = 0
  }

  /// Goes on with a delivery around those that were begun since.
  mutating func resume(_ outer: LoopLimit) {
    generation = outer.generation
    priorDepth = outer.priorDepth
  }

  /// Whether changes up to a generation are too many.
  ///
  /// If each change causes several, their number doubles with each generation, and the hundredth
  /// would never come. So growing generations are a loop as soon as there are 100 times as many
  /// changes as a single one has caused, and more than 100,000 changes times generations: a
  /// callback that makes very many changes at once grows in few generations, a loop in many.
  func isExceeded(by generation: Int) -> Bool {
    generation > Self.generationLimit
      || changeCount > Self.generationLimit * greatestChildCount
        && changeCount * generation > Self.growthLimit
  }

  static func isSuspect(_ generation: Int) -> Bool {
    generation > generationLimit - suspicionCount
  }
}

/// A change that waits until an earlier one has been delivered.
protocol QueuedChange {
  /// How many callbacks lie between it and the change that waited for none.
  var generation: Int { get }
  /// The observer whose callback made it.
  var origin: ObserverIdentity? { get }
}

/// Changes that wait, and are delivered one after the other on one thread.
protocol LimitedQueue {
  associatedtype Change: QueuedChange

  /// Removes the oldest change, if its turn has come.
  func takeFirst() -> Change?
  func deliver(_ change: Change)
  /// Ends a change that is not delivered.
  func abandon(_ change: Change)
  func withLimit<Result>(_ body: (inout LoopLimit) -> Result) -> Result
  func reportLoop(of observers: [ObserverIdentity])
}

extension LimitedQueue {
  /// Delivers the changes, those included that are made meanwhile, until there are none or they
  /// turn out to be a loop.
  func deliverAll() {
    let thread = ThreadState.current
    thread.pointee.running_queues += 1
    defer { thread.pointee.running_queues -= 1 }
    let suspects = SuspendedObservers()
    while let change = takeFirst() {
      if withLimit({ $0.isExceeded(by: change.generation) }) {
        return deliverLast(from: change, without: suspects)
      }
      if LoopLimit.isSuspect(change.generation) { suspects.insert(change.origin) }
      withLimit { $0.beginDelivery(of: change.generation) }
      deliver(change)
    }
  }

  /// Ends a loop: all observers but those that cause it receive the final value.
  private func deliverLast(from first: Change, without suspects: SuspendedObservers) {
    var last = takeLast(from: first, noting: suspects)
    reportLoop(of: suspects.observers)
    for _ in 0..<LoopLimit.generationLimit {
      suspects.insert(last.origin)
      ThreadState.current.suspend(suspects.observers)
      deliver(last)
      guard let next = takeFirst() else { return }
      last = takeLast(from: next, noting: nil)
    }
    abandon(last)
  }

  /// Removes the last change and abandons those before it.
  ///
  /// The makers of the last generation's changes are a cause.
  private func takeLast(from first: Change, noting suspects: SuspendedObservers?) -> Change {
    var last = first
    var generation = first.generation
    var origins: [ObserverIdentity?] = [first.origin]
    while let next = takeFirst() {
      abandon(last)
      if next.generation > generation { origins = [] }
      generation = max(generation, next.generation)
      if next.generation == generation, !origins.contains(next.origin) {
        origins.append(next.origin)
      }
      last = next
    }
    for origin in origins { suspects?.insert(origin) }
    return last
  }
}
