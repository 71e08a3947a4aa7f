/// The plan of a key path of several components.
final class CachedDecomposition: CachedKeyPath {
  let keyPath: Unmanaged<AnyKeyPath>
  let plan: KeyPathPlan

  init(_ keyPath: AnyKeyPath, _ plan: KeyPathPlan) {
    self.keyPath = .passRetained(keyPath)
    self.plan = plan
  }

  deinit {
    keyPath.release()
  }
}
