internal import CKeyValueObserving

/// A mutation block: code on one thread in which all changes of a key are one change.
///
/// It is on the stack of the function that makes the change. Setters of the key find it through
/// their thread and send no notification.
struct MutationBlock {
  fileprivate let observedKey: Unmanaged<ObservedKey>
  fileprivate let outer: UnsafeMutablePointer<MutationBlock>?
}

extension ObservedKey {
  // Out of line, since few ask (row: set, 1 observer).
  /// Whether a mutation block of this key is open on the running thread.
  @inline(never)
  var isInMutationBlock: Bool {
    var candidate = ThreadState.current.mutationBlock
    while let mutationBlock = candidate {
      if mutationBlock.pointee.observedKey.toOpaque() == Unmanaged.passUnretained(self).toOpaque() {
        return true
      }
      candidate = mutationBlock.pointee.outer
    }
    return false
  }

  /// Runs `body` in a mutation block of this key.
  func withMutationBlock<Result>(_ body: () throws -> Result) rethrows -> Result {
    let thread = ThreadState.current
    var mutationBlock = MutationBlock(
      observedKey: .passUnretained(self), outer: thread.mutationBlock)
    return try withUnsafeMutablePointer(to: &mutationBlock) { mutationBlock in
      context.lock.withLock { mutationBlockCount += 1 }
      thread.mutationBlock = mutationBlock
      defer {
        thread.mutationBlock = mutationBlock.pointee.outer
        context.lock.withLock { mutationBlockCount -= 1 }
      }
      return try body()
    }
  }
}

extension UnsafeMutablePointer<kvo_thread_state> {
  fileprivate var mutationBlock: UnsafeMutablePointer<MutationBlock>? {
    get { pointee.mutation_block?.assumingMemoryBound(to: MutationBlock.self) }
    nonmutating set { pointee.mutation_block = newValue.map { UnsafeMutableRawPointer($0) } }
  }
}
