internal import CKeyValueObserving

// Derived values that begin to read a key in an open mutation block of it.
//
// One that has read the key before receives the change of the block, from the value before the block. One that begins to
// read it inside has a change of its own, from the value that it finds to the one at the end (P19). So has a path to the
// key whose observers receive another change inside the block (`beginChangeWithBlock`). A value that is delivered
// meanwhile becomes the old one of such a change (P11).
extension DerivedValue {
  /// Begins changes for the mutation blocks, open on the thread, of keys that it has begun to read there.
  ///
  /// - `isFirst`: Whether it has never been evaluated before. Its observers have come in the blocks, of which they are not
  ///   notified (P13), or are paths that join the blocks themselves.
  @inline(never)
  final func joinMutationBlocks(isFirst: Bool) {
    for block in MutationBlock.open {
      guard !block.pointee.isOfTransaction, block.pointee.joined?.contains(self) != true,
        let key = block.pointee.observedKey?.takeUnretainedValue()
      else { continue }
      let reading = attachedKeys(reading: key)
      guard let first = reading.first else { continue }
      if isFirst {
        block.pointee.madeJoined.exclude(self)
      } else if !reading.contains(where: { takesPart(in: block, of: key, by: $0) }) {
        join(block, of: key, at: first.link)
      }
    }
  }

  /// The links to a key, and to computed keys that read it.
  private func attachedKeys(reading key: ObservedKey) -> [AttachedKey] {
    if let attachedKeys { return attachedKeys.filter { $0.reads { $0 == key.identity } } }
    // While another thread evaluates, only those to the key itself are known.
    return lock.withLock { state.links.filter { $0.lastKeyIdentity == key.identity } }
      .map { AttachedKey(link: $0, key: key, context: key.context) }
  }

  /// Whether it receives the change of a block without a change of its own.
  private func takesPart(
    in block: UnsafeMutablePointer<MutationBlock>, of key: ObservedKey, by attached: AttachedKey
  ) -> Bool {
    let deliveries =
      attached.key === key
      ? block.pointee.delivery.map { [$0] } ?? [] : attached.key.computedKey?.unmadeDeliveries ?? []
    return deliveries.contains {
      // It may have left the key and come back, and then goes on with the change that it has begun.
      attached.key.notifies(attached.link, of: $0) || $0.pointee.snapshot.contains(self)
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
    if attachedKeys?.contains(where: { $0.reads { $0 == key.identity } }) == false {
      return forget(change)
    }
    // Behind the changes that were made in the block.
    renumber(change, to: ThreadState.makeChangeNumber())
    change.pausedHistories = ThreadState.current.historiesPausedAtBeginning(of: change.number)
    evaluateAfterMutation(of: change, at: link)
  }

  /// Begins a change that is made later, while others are made inside.
  ///
  /// - `prepare`: Prepares the change, of which the old value is the present one if it has captured none.
  final func begin(
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
    MutationBlock.open.prefix { $0 != block }.contains {
      $0.pointee.observedKey?.takeUnretainedValue() === ownKey
    }
  }
}
