internal import CKeyValueObserving

/// A mutation block: code on one thread in which all changes of a key are one change.
///
/// It is on the stack of the function that makes the change. Setters of the key find it through
/// their thread and send no notification.
struct Scope {
  fileprivate let slot: Unmanaged<Slot>
  fileprivate let outer: UnsafeMutablePointer<Scope>?
}

extension Slot {
  // Out of line, since few ask (row: set, 1 observer).
  /// Whether a scope of this key is open on the running thread.
  @inline(never)
  var isScoped: Bool {
    var candidate = ThreadState.current.scope
    while let scope = candidate {
      if scope.pointee.slot.toOpaque() == Unmanaged.passUnretained(self).toOpaque() { return true }
      candidate = scope.pointee.outer
    }
    return false
  }

  /// Runs `body` in a scope of this key.
  func withScope<Result>(_ body: () throws -> Result) rethrows -> Result {
    let thread = ThreadState.current
    var scope = Scope(slot: .passUnretained(self), outer: thread.scope)
    return try withUnsafeMutablePointer(to: &scope) { scope in
      context.lock.withLock { scopeCount += 1 }
      thread.scope = scope
      defer {
        thread.scope = scope.pointee.outer
        context.lock.withLock { scopeCount -= 1 }
      }
      return try body()
    }
  }
}

extension UnsafeMutablePointer<kvo_thread_state> {
  fileprivate var scope: UnsafeMutablePointer<Scope>? {
    get { pointee.scope?.assumingMemoryBound(to: Scope.self) }
    nonmutating set { pointee.scope = newValue.map { UnsafeMutableRawPointer($0) } }
  }
}
