extension KeyValueObservable {
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
}
