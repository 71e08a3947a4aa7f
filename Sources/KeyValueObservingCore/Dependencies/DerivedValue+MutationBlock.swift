internal import CKeyValueObserving

// Derived values whose other inputs change in an open mutation block of a key that they read.
//
// The change of the block is that of the links which the key had when it began, and starts from the value of then. A
// derived value that begins to read the key in the block has a change of its own, from the value that it finds, which is
// made when the block is closed (P19). So has a path to the key whose observers receive another change inside the block.
// Such a change is one of those that go on around others: what is delivered meanwhile becomes its old value (P11).
extension DerivedValue {
  /// Begins changes for the mutation blocks, open on the thread, of keys that it has begun to read there.
  ///
  /// - `isFirst`: Whether it has never been evaluated before. Its observers have come in the blocks, of which they are not
  ///   notified (P13), or are paths that join the blocks themselves.
  @inline(never)
  final func joinMutationBlocks(isFirst: Bool) {
    let inputs = inputs
    MutationBlock.forEach { block in
      guard !block.pointee.isOfTransaction, block.pointee.joined?.contains(self) != true,
        let key = block.pointee.observedKey?.takeUnretainedValue()
      else { return }
      let links = inputs.filter { $0.reads(key) }
      if isFirst, !links.isEmpty { return block.pointee.madeJoined.exclude(self) }
      guard let link = links.first,
        !links.contains(where: { takesPart(in: block, of: key, by: $0) })
      else { return }
      join(block, of: key, at: link)
    }
  }

  /// Whether it receives the change of a block without a change of its own.
  private func takesPart(
    in block: UnsafeMutablePointer<MutationBlock>, of key: ObservedKey, by link: Link
  ) -> Bool {
    let (ownKey, deliveries): (ObservedKey, [UnsafeMutablePointer<Delivery>])
    if link.lastKeyIdentity == key.identity {
      (ownKey, deliveries) = (key, block.pointee.delivery.map { [$0] } ?? [])
    } else {
      guard let computed = link.observedKey?.computedKey else { return false }
      (ownKey, deliveries) = (computed.ownKey, computed.unmadeDeliveries)
    }
    return deliveries.contains {
      // It may have left the key and come back, and then goes on with the change that it has begun.
      ownKey.notifies(link, of: $0) || $0.pointee.snapshot.contains(self)
    }
  }

  /// Begins a change that is made when a block is closed.
  private func join(
    _ block: UnsafeMutablePointer<MutationBlock>, of key: ObservedKey, at link: Link
  ) {
    // Getters that capture a value may evaluate this one again.
    block.pointee.madeJoined.exclude(self)
    let change = begin(ThreadState.makeChangeNumber(), at: link) { change in
      // The change of the block is no part of that of the own one, which ends before.
      if let key = self as? ComputedKey, key.hasBlock(inside: block) { key.pin(change) }
    }
    guard let change else { return }
    block.pointee.madeJoined.append(
      self, evaluating: { self.makeJoined(change, at: link, of: key) },
      deliver: { self.deliverAfterMutation(change) })
  }

  /// Makes a change when the block is closed, or forgets it if the key is not read any more (P25).
  private func makeJoined(_ change: DerivedChange, at link: Link, of key: ObservedKey) {
    guard !hasEnded, inputs.contains(where: { $0.reads(key) }) else {
      remove(change)
      return drop(change)
    }
    // Behind the changes that were made in the block.
    renumber(change, to: ThreadState.makeChangeNumber())
    change.handOver = .last
    change.pausedHistories = ThreadState.current.historiesPausedAtBeginning(of: change.number)
    make(change.number, evaluate(), at: link)
  }

  // MARK: The last key of a path

  /// Begins the change of a path with that of the mutation block, open on the thread, of its last key, before another
  /// change that is delivered first: the value from before the block is the old one of that, and not of the block's.
  @inline(never)
  final func beginChangeWithBlock() {
    guard requestsOldValues, let link = inputs.first(where: { $0.role == .value }) else { return }
    MutationBlock.forEach { block in
      guard let key = block.pointee.observedKey?.takeUnretainedValue(),
        link.lastKeyIdentity == key.identity, let old = block.pointee.old,
        let delivery = block.pointee.delivery, key.notifies(link, of: delivery),
        link.isNotified(by: delivery.pointee.snapshot)
      else { return }
      let number = delivery.pointee.number
      if number == 0 { delivery.pointee.number = ThreadState.makeChangeNumber() }
      if change(of: delivery) != nil { return }
      delivery.pointee.traits.insert(.receivedInPhases)
      // The old value takes in none of the changes that were made since.
      let change = begin(delivery.pointee.number, at: link) {
        $0.captured = .init(old: value(beforeBlock: old, at: link), observers: nil)
      }
      change?.lastChangeInOld = number
    }
  }

  /// Begins a change that is made later, while others are made inside.
  ///
  /// - `prepare`: Prepares the change, of which the old value is the present one if it has captured none.
  private func begin(
    _ number: UInt64, at link: Link, _ prepare: (DerivedChange) -> Void
  ) -> DerivedChange? {
    guard let subject else { return nil }
    let change = madeChange()
    change.begin(number, of: subject)
    prepare(change)
    captureNow(change, at: link)
    let outer = lock.withLock { state.lastUnmade { $0.isUnmade(on: ThreadState.identity) } }
    lock.withLock { state.insert(change) }
    takeOldValue(for: change)
    // That one may be about to be made, and brings another value then.
    if let outer { change.lastChangeInOld = min(change.lastChangeInOld, outer.number &- 1) }
    didCapture(change, for: nil)
    change.replaced = nil
    return change
  }
}

extension ComputedKey {
  /// Whether a mutation block of the key is open that was opened in another one.
  fileprivate func hasBlock(inside block: UnsafeMutablePointer<MutationBlock>) -> Bool {
    var candidate = ThreadState.current.mutationBlock
    while let inner = candidate, inner != block {
      if inner.pointee.observedKey?.takeUnretainedValue() === ownKey { return true }
      candidate = inner.pointee.outer
    }
    return false
  }
}

extension Link {
  /// Whether it is attached to a key, or to a computed key that reads it.
  fileprivate func reads(_ key: ObservedKey) -> Bool {
    if lastKeyIdentity == key.identity { return true }
    let computed = observedKey?.computedKey
    return computed?.inputs.contains { $0.lastKeyIdentity == key.identity } ?? false
  }
}
