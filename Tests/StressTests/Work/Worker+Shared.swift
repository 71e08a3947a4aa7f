import KeyValueObserving

// The work of a thread with objects that others use at the same time.
extension Worker {
  func setSharedByKey() {
    let number = nextNumber()
    perform { try world.anyShared(&random)?.setValue(number, forKey: "value") }
  }

  /// Sets a property that only the objects of the subclass have.
  func setSharedBonus() {
    (world.anyShared(&random) as? StressBranch)?.bonus = nextNumber()
  }

  /// A link may be nil, and then the write is refused (P42).
  func setAlongPath() {
    let root = world.node(layer: random.below(2), &random)
    do {
      try root?.setValue(nextNumber(), forKeyPath: "child.child.note")
    } catch {
      guard case KeyValueCodingError.nilLink = error else {
        return world.faults.note("P42: a write along a path threw \(error)")
      }
    }
  }

  /// Hands a link to `replace`, with the object that it is to lead to, or nil.
  func replaceLink(_ replace: (StressNode, StressNode?) -> Void) {
    let layer = random.below(World.layers - 1)
    guard let node = world.node(layer: layer, &random) else { return }
    replace(node, random.chance(8) ? nil : world.node(layer: layer + 1, &random))
  }

  func replaceWeakLink() {
    guard let node = world.anyShared(&random) else { return }
    // Also objects that are deallocated while only the path refers to them.
    node.peer = random.chance(10) ? nil : world.anyNode(&random)
  }

  func replaceCrowd() {
    guard let node = world.node(layer: random.below(2), &random) else { return }
    node.crowd = (0..<random.below(4)).compactMap { _ in
      world.node(layer: World.layers - 1, &random)
    }
  }

  /// All changes of a property in a mutation block are one change, in spite of other threads.
  func replaceInScope() {
    replaceLink { node, child in
      node.withMutation(of: \.child) {
        node.child = nil
        node.child = child
      }
    }
  }

  func replaceInPair() {
    replaceLink { node, child in
      node.willChangeValue(for: \.child)
      node.child = child
      node.didChangeValue(for: \.child)
    }
  }

  /// Members of a set are edited by all threads.
  ///
  /// Of two edits at a time one may be lost, as in any property that is read, changed and written;
  /// nothing worse.
  func editSet() {
    guard let node = world.anyShared(&random) else { return }
    let proxy = node.mutableSetValue(for: \.members)
    if random.chance(60) {
      proxy.insert(random.below(20))
    } else {
      proxy.remove(random.below(20))
    }
  }

  func read() {
    guard let node = world.node(layer: random.below(2), &random) else { return }
    switch random.below(4) {
    case 0: _ = node.child?.child?.sum
    case 1: perform { _ = try node.value(forKeyPath: "child.child.value") }
    case 2: perform { _ = try node.value(forKeyPath: "crowd.@sum.value") }
    default: perform { _ = try node.dictionaryWithValues(forKeys: ["value", "sum", "members"]) }
    }
  }

  /// Does what must not throw.
  private func perform(_ body: () throws -> Void) {
    do { try body() } catch { world.faults.note("P42: key-value coding threw \(error)") }
  }
}
