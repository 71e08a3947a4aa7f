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

  /// Makes a block that is open on the running thread that of a key which is observed from now on.
  ///
  /// Call it with the lock of the context held. A thread that registers an observer while another one has
  /// a block of the key open finds none, and the observer receives what follows in the block.
  static func adoptLocked(_ observedKey: ObservedKey) {
    forEach { mutationBlock in
      if mutationBlock.pointee.observedKey == nil, mutationBlock.pointee.isOfKey(observedKey) {
        mutationBlock.pointee.observedKey = .passUnretained(observedKey)
        observedKey.mutationBlockCount += 1
      }
    }
  }

  /// The same, to be changed.
  var madeJoined: DeferredEvaluations {
    get { joined ?? DeferredEvaluations() }
    set { joined = newValue }
  }

  private func isOfKey(_ observedKey: ObservedKey) -> Bool {
    name == observedKey.name && subject.isObserved(in: observedKey.unmanagedContext)
  }

  /// Calls `body` with each block that is open on the running thread, the innermost first.
  @inline(__always)
  static func forEach(_ body: (UnsafeMutablePointer<MutationBlock>) -> Void) {
    var candidate = ThreadState.current.mutationBlock
    while let mutationBlock = candidate {
      body(mutationBlock)
      candidate = mutationBlock.pointee.outer
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
    var isFound = false
    MutationBlock.forEach {
      if $0.pointee.observedKey?.toOpaque() == Unmanaged.passUnretained(self).toOpaque() {
        isFound = true
      }
    }
    return isFound
  }
}

extension KeyValueObservable {
  fileprivate func isObserved(in context: Unmanaged<ObservationContext>) -> Bool {
    keyValueRegistrar.unmanagedContext?.toOpaque() == context.toOpaque()
  }
}

extension UnsafeMutablePointer<kvo_thread_state> {
  /// The innermost mutation block that is open on the thread.
  var mutationBlock: UnsafeMutablePointer<MutationBlock>? {
    get { pointee.mutation_block?.assumingMemoryBound(to: MutationBlock.self) }
    nonmutating set { pointee.mutation_block = newValue.map { UnsafeMutableRawPointer($0) } }
  }
}
