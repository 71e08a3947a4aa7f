// The objects from which paths lead to a change (P14).
extension UnsafeMutablePointer<Delivery> {
  /// Keeps the objects from which paths lead to the observed key from the prior notifications on until the change
  /// has been delivered.
  @inline(__always)
  func keepRoots() {
    if pointee.snapshot.hasRoots { keepRootsOfPaths() }
  }

  @inline(never)
  private func keepRootsOfPaths() {
    withWaiting { $0.roots = pointee.snapshot.roots }
  }

  /// Releases what `keepRoots()` keeps, where the change is not delivered yet.
  func releaseBacklog() {
    pointee.backlog?.release()
    pointee.backlog = nil
  }
}
