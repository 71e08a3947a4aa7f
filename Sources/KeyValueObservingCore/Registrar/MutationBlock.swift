internal import CKeyValueObserving

/// A mutation block: code on one thread in which all changes of a key are one change.
///
/// It is on the stack of the function that makes the change. Setters of the key find it through
/// their thread and send no notification.
struct MutationBlock {
  /// The key; nil as long as it has never been observed.
  var observedKey: Unmanaged<ObservedKey>?
  let name: KeyName
  /// The object, which the function that makes the change keeps.
  unowned(unsafe) let subject: any KeyValueObservable
  let outer: UnsafeMutablePointer<MutationBlock>?
  /// The change of the observers that the key had when the block was opened; nil if there were none.
  let delivery: UnsafeMutablePointer<Delivery>?
  /// The value from before the block, if it is known and the block does not make an edit.
  let old: AnyValueBox?
  /// Whether a transaction makes the change, at its own end.
  let isOfTransaction: Bool
  // Nil where there are none, since an empty list is retained and released (row: edit by proxy).
  /// The derived values that have begun to read the key in the block (`DerivedValue.joinMutationBlocks`).
  private(set) var joined: DeferredEvaluations?

  /// A block inside of those that are open on the running thread.
  ///
  /// - `observedKey`: The observed key; nil if the key has never been observed, which the block leaves so.
  init(
    of name: KeyName, _ observedKey: ObservedKey?, in subject: any KeyValueObservable,
    making delivery: UnsafeMutablePointer<Delivery>? = nil, from old: AnyValueBox? = nil,
    isOfTransaction: Bool = false
  ) {
    self.observedKey = observedKey.map { .passUnretained($0) }
    self.name = name
    self.subject = subject
    outer = ThreadState.current.mutationBlock
    self.delivery = delivery
    self.old = old
    self.isOfTransaction = isOfTransaction
  }

  /// Makes a block that is open on the running thread that of a key which is observed from now on.
  ///
  /// Call it with the lock of the context held. A thread that registers an observer while another one has
  /// a block of the key open finds none, and the observer receives what follows in the block.
  static func adoptLocked(_ observedKey: ObservedKey) {
    for mutationBlock in open
    where mutationBlock.pointee.observedKey == nil && mutationBlock.pointee.isOfKey(observedKey) {
      mutationBlock.pointee.observedKey = .passUnretained(observedKey)
      observedKey.mutationBlockCount += 1
    }
  }

  /// The same, to be changed.
  var madeJoined: DeferredEvaluations {
    get { joined ?? DeferredEvaluations() }
    set { joined = newValue }
  }

  private func isOfKey(_ observedKey: ObservedKey) -> Bool {
    name == observedKey.name
      && subject.existingContext?.toOpaque() == observedKey.unmanagedContext.toOpaque()
  }

  /// The blocks that are open on the running thread, the innermost first.
  static var open: some Sequence<UnsafeMutablePointer<MutationBlock>> {
    sequence(state: ThreadState.current.mutationBlock) { next in
      defer { next = next?.pointee.outer }
      return next
    }
  }
}

extension ObservedKey {
  /// Whether a link was attached when the change began that a delivery is going to make.
  func notifies(_ link: Registration, of delivery: UnsafeMutablePointer<Delivery>) -> Bool {
    withLock {
      link.observedKey === self
        && !state.isAttached(link, since: delivery.pointee.snapshot)
    }
  }

  // Out of line, since few ask (row: set, 1 observer).
  /// Whether a mutation block of this key is open on the running thread.
  @inline(never)
  var isInMutationBlock: Bool {
    MutationBlock.open.contains {
      $0.pointee.observedKey?.toOpaque() == Unmanaged.passUnretained(self).toOpaque()
    }
  }
}

extension UnsafeMutablePointer<kvo_thread_state> {
  /// The innermost mutation block that is open on the thread.
  var mutationBlock: UnsafeMutablePointer<MutationBlock>? {
    get { pointee.mutation_block?.assumingMemoryBound(to: MutationBlock.self) }
    nonmutating set { pointee.mutation_block = newValue.map { UnsafeMutableRawPointer($0) } }
  }
}
