import KeyValueObserving
import TestSupport

// How a thread observes what all threads change.
extension Worker {
  private static var mostWatches: Int { 12 }

  func watch() {
    if watches.count >= Self.mostWatches { endWatch() }
    guard let watch = makeWatch() else { return }
    if random.chance(25) {
      world.offer(watch)
      // Enough of them are left for other threads.
      world.endOffered(random.below(1000), by: anyEnding(), sparing: Self.mostWatches)
    } else {
      watches.append(watch)
    }
  }

  func endWatch() {
    guard !watches.isEmpty else { return }
    let place = random.below(watches.count)
    let watch = watches[place]
    watch.end(by: anyEnding())
    // Some stay, to be ended again (P31, P34).
    if random.chance(80) { watches.remove(at: place) }
    // Another thread may come to end it at the same time.
    if random.chance(10) { world.offer(watch) }
  }

  private func makeWatch() -> Watch? {
    let route = Route.allCases[random.below(Route.allCases.count)]
    guard let root = route.isDeep ? world.node(layer: 0, &random) : world.anyNode(&random) else {
      return nil
    }
    let options = KeyValueObservation.Options.random(&random)
    let watch = Watch(route, from: root, options, receivesReasons: random.chance(40), in: world)
    if random.chance(20) { watch.listener.react(by: reaction(of: watch)) }
    watch.register(on: root, options)
    return watch
  }

  /// The work of a callback the first time it is called, on any thread.
  private func reaction(of watch: Watch) -> @Sendable () -> Void {
    let ending = anyEnding()
    let number = random.below(1000)
    switch random.below(5) {
    case 0: return { [weak watch] in watch?.end(by: ending) }
    case 1: return { [world] in world.endOffered(number, by: ending) }
    case 2:
      let target = GuardedWeak(world.anyNode(&random))
      return { target.value?.note = number }
    case 3:
      let target = GuardedWeak(world.anyShared(&random))
      return { if let node = target.value { node.child = node.child } }
    default:
      let target = GuardedWeak(world.anyShared(&random))
      return { [world] in
        guard let root = target.value else { return }
        let watch = Watch(.sumOfChild, from: root, .new, receivesReasons: true, in: world)
        watch.register(on: root, .new)
        world.offer(watch)
      }
    }
  }

  // MARK: Async sequences

  /// Iterates in a task that will be cancelled in the middle of something.
  func consume() {
    if consumers.count >= 3 { cancelConsumer() }
    guard let node = world.anyNode(&random) else { return }
    let life = world.census.birth(of: .consumer)
    switch random.below(3) {
    case 0: consumers.append(Consumption.start(of: node.values(of: \.value, isolation: nil), life))
    case 1:
      let values = node.values(of: \.child?.value, isolation: nil)
      consumers.append(Consumption.start(of: values, life))
    default:
      let changes = node.changes(
        of: \.sum, options: [.old, .new], bufferingPolicy: .bufferingNewest(2), isolation: nil)
      consumers.append(Consumption.start(of: changes, life))
    }
  }

  func cancelConsumer() {
    guard !consumers.isEmpty else { return }
    let consumer = consumers.remove(at: random.below(consumers.count))
    consumer.cancel()
    world.consumers.withLock { $0.append((consumer, nil)) }
  }
}

extension KeyValueObservation.Options {
  static func random(_ random: inout SplitMix) -> Self {
    var options: Self = []
    if random.chance(50) { options.insert(.new) }
    if random.chance(40) { options.insert(.old) }
    if random.chance(15) { options.insert(.initial) }
    if random.chance(15) { options.insert(.prior) }
    return options
  }
}
