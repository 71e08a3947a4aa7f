internal import CKeyValueObserving

/// A mutation block: code on one thread in which all changes of a key are one change.
///
/// It is on the stack of the function that makes the change. Setters of the key find it through
/// their thread and send no notification.
struct MutationBlock {
  /// The key; nil as long as it has never been observed.
  fileprivate var observedKey: Unmanaged<ObservedKey>?
  fileprivate let name: KeyName
  /// The object, which the function that makes the change keeps.
  fileprivate unowned(unsafe) let subject: any KeyValueObservable
  fileprivate let outer: UnsafeMutablePointer<MutationBlock>?

  /// Makes a block that is open on the running thread that of a key which is observed from now on.
  ///
  /// Call it with the lock of the context held. A thread that registers an observer while another one has
  /// a block of the key open finds none, and the observer receives what follows in the block.
  static func adopt(_ observedKey: ObservedKey) {
    forEach { mutationBlock in
      if mutationBlock.pointee.observedKey == nil, mutationBlock.pointee.isOfKey(observedKey) {
        mutationBlock.pointee.observedKey = .passUnretained(observedKey)
        observedKey.mutationBlockCount += 1
      }
    }
  }

  private func isOfKey(_ observedKey: ObservedKey) -> Bool {
    name == observedKey.name && subject.isObserved(in: observedKey.unmanagedContext)
  }

  /// Calls `body` with each block that is open on the running thread, the innermost first.
  @inline(__always)
  fileprivate static func forEach(_ body: (UnsafeMutablePointer<MutationBlock>) -> Void) {
    var candidate = ThreadState.current.mutationBlock
    while let mutationBlock = candidate {
      body(mutationBlock)
      candidate = mutationBlock.pointee.outer
    }
  }
}

extension ObservedKey {
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

  /// Runs `body` in a mutation block of a key.
  ///
  /// - `observedKey`: The observed key; nil if the key has never been observed, which the block leaves so.
  func withMutationBlock<Result>(
    of name: KeyName, _ observedKey: ObservedKey?, _ body: () throws -> Result
  ) rethrows -> Result {
    let thread = ThreadState.current
    var mutationBlock = MutationBlock(
      observedKey: observedKey.map { .passUnretained($0) }, name: name, subject: self,
      outer: thread.mutationBlock)
    return try withUnsafeMutablePointer(to: &mutationBlock) { mutationBlock in
      if let observedKey {
        observedKey.context.lock.withLock { observedKey.mutationBlockCount += 1 }
      }
      thread.mutationBlock = mutationBlock
      defer {
        thread.mutationBlock = mutationBlock.pointee.outer
        if let observedKey = mutationBlock.pointee.observedKey?.takeUnretainedValue() {
          observedKey.context.lock.withLock { observedKey.mutationBlockCount -= 1 }
        }
      }
      return try body()
    }
  }

  /// The same for a change of a key that has never been observed.
  ///
  /// Observers that are registered meanwhile are not notified (P13). Derived values among them are evaluated
  /// at the end.
  func withUnobservedMutationBlock<Result>(
    of property: KeyValueProperty, _ body: () throws -> Result
  ) rethrows -> Result {
    defer {
      if let observedKey = existingKey(of: property), !observedKey.isInMutationBlock {
        observedKey.context.catchUp(observedKey)
      }
    }
    return try withMutationBlock(of: property.name, nil, body)
  }
}

extension UnsafeMutablePointer<kvo_thread_state> {
  fileprivate var mutationBlock: UnsafeMutablePointer<MutationBlock>? {
    get { pointee.mutation_block?.assumingMemoryBound(to: MutationBlock.self) }
    nonmutating set { pointee.mutation_block = newValue.map { UnsafeMutableRawPointer($0) } }
  }
}
