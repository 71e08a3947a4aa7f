import KeyValueObserving
import TestSupport

/// The state that the threads share: objects to change and to observe, and observations to end.
///
/// The objects are in layers, from roots to final objects. An index in a layer is given a new
/// object now and then, whose predecessor is deallocated, or kept for a while to check that it
/// receives nothing.
final class World: Sendable {
  static let layers = 4
  private static let width = 6
  private static let archiveSize = 48

  let census = Census()
  let faults = Faults()
  /// Every observation that there has ever been.
  let watches = Guarded<[Watch]>([])
  /// Observers that have to be notified of a deallocation, each kept by its token.
  let deallocations = Guarded<[(Deallocations, KeyValueObserver?)]>([])
  /// Tasks that iterate, and the elements that each is to have received in the end, if that is
  /// certain.
  let consumers = Guarded<[(task: Task<[Int], Never>, expected: [Int]?)]>([])
  private let places: [Guarded<StressNode?>]
  /// Objects that belong to one thread each, which others may observe and look for.
  private let visited: [GuardedWeak<StressNode>]
  private let archive = Guarded<[StressNode]>([])
  /// Every object that there has ever been.
  private let known = Guarded<[GuardedWeak<StressNode>]>([])
  private let audits = Guarded<[(Audit, KeyValueObservation)]>([])
  /// Observations that any thread may end.
  private let offered = Guarded<[Watch]>([])

  init() {
    places = (0..<(World.layers * World.width)).map { _ in Guarded(nil) }
    visited = (0..<World.width).map { _ in GuardedWeak() }
    for place in places.indices {
      places[place].exchange(makeSharedNode(layer: place / World.width))
    }
  }

  // MARK: Objects

  /// An object that all threads may set.
  ///
  /// The sets of its value are counted, from before it is shared.
  private func makeSharedNode(layer: Int) -> StressNode {
    let audit = Audit()
    // Half of them are of the subclass, in all layers, of those that stay and of those that do not.
    let isBranch = (audits.withLock { $0.count } / 2).isMultiple(of: 2)
    let node = makeNode(layer: layer, audit: audit, isBranch: isBranch)
    let token = node.observe(\.value, isolation: nil) { _, _ in audit.noteReceived() }
    audits.withLock { $0.append((audit, token)) }
    know(node)
    return node
  }

  /// An object that one thread sets, which knows the expected notifications.
  func makeOwnNode(layer: Int, isBranch: Bool = false) -> StressNode {
    let node = makeNode(layer: layer, audit: nil, isBranch: isBranch)
    know(node)
    return node
  }

  private func makeNode(layer: Int, audit: Audit?, isBranch: Bool) -> StressNode {
    isBranch
      ? StressBranch(layer: layer, audit: audit, in: census)
      : StressNode(layer: layer, audit: audit, in: census)
  }

  private func know(_ node: StressNode) { known.withLock { $0.append(GuardedWeak(node)) } }

  /// Some object of a layer; nil once the world has come to its end.
  func node(layer: Int, _ random: inout SplitMix) -> StressNode? {
    places[layer * World.width + random.below(World.width)].value
  }

  /// An object that every thread may set.
  func anyShared(_ random: inout SplitMix) -> StressNode? {
    places[random.below(places.count)].value
  }

  /// An object that every thread may observe.
  func anyNode(_ random: inout SplitMix) -> StressNode? {
    if random.chance(15) { return visited[random.below(World.width)].value }
    return anyShared(&random)
  }

  /// Puts a new object at an index.
  ///
  /// The former one is deallocated, unless it is kept elsewhere.
  func replaceNode(_ random: inout SplitMix) {
    // Half of the places keep their objects, so that something goes on for long.
    let place = random.below(places.count)
    if place.isMultiple(of: 2) { return }
    let former = places[place].exchange(makeSharedNode(layer: place / World.width))
    if random.chance(50), let former { keep(former, random.below(World.archiveSize)) }
  }

  private func keep(_ node: StressNode, _ place: Int) {
    let released = archive.withLock { archive in
      if archive.count < World.archiveSize {
        archive.append(node)
        return nil as StressNode?
      }
      defer { archive[place] = node }
      return archive[place]
    }
    withExtendedLifetime(released) {}
  }

  func visit(_ node: StressNode, _ random: inout SplitMix) {
    visited[random.below(World.width)].value = node
  }

  // MARK: Observations that others end

  func offer(_ watch: Watch) { offered.withLock { $0.append(watch) } }

  /// Ends one of them, once there are more than a few.
  func endOffered(_ number: Int, by ending: Watch.Ending, sparing few: Int = 0) {
    let watch = offered.withLock {
      $0.count > few ? $0.remove(at: number % $0.count) : nil
    }
    watch?.end(by: ending)
  }

  // MARK: When the dust settles

  var livingNodes: [StressNode] { known.value.compactMap(\.value) }

  var auditCounts: [(stored: Int, received: Int)] { audits.value.map { $0.0.counts } }

  /// Lets go of everything but what is counted.
  func end() {
    for place in places { place.exchange(nil) }
    archive.exchange([])
    offered.exchange([])
  }

  func forgetAudits() { audits.exchange([]) }
}
