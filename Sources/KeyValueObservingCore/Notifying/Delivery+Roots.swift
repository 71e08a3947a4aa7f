// The objects from which paths lead to a change (P14).
extension UnsafeMutablePointer<Delivery> {
  /// Whether a callback may release an object from which a path of another observer leads to the
  /// observed key.
  var hasRoots: Bool { pointee.snapshot.needs.contains(.root) && pointee.snapshot.count > 1 }

  /// The objects from which paths lead to the observed key.
  ///
  /// A callback may release one before the turn of another observer, which is to be notified
  /// nevertheless (P14). Only leaf links need this, and they are among the observers.
  func roots() -> [AnyObject] {
    let snapshot = pointee.snapshot
    return (0..<Int(snapshot.observerCount)).compactMap { index in
      snapshot.observers?[index].registration?._withUnsafeGuaranteedRef { $0.root }
    }
  }

  /// Keeps the same objects from the prior notifications on until the change has been delivered.
  @inline(never)
  func keepRoots() {
    guard hasRoots else { return }
    if pointee.waiting == nil { pointee.waiting = Unmanaged.passRetained(WaitingChanges()) }
    pointee.waiting?._withUnsafeGuaranteedRef { $0.roots = roots() }
  }

  /// Releases what `keepRoots()` keeps, where the change is not delivered yet.
  func releaseBacklog() {
    pointee.backlog?.release()
    pointee.backlog = nil
  }
}
