/// The string paths that have led from objects of one class.
final class StringPathCache: @unchecked Sendable {  // `paths` is guarded by `lock`
  private let lock = Lock()
  private var paths: [String: KeyPathPlan] = [:]

  private static var limit: Int { 256 }

  func find(_ text: String) -> KeyPathPlan? { lock.withLock { paths[text] } }

  func insert(_ plan: KeyPathPlan, as text: String) {
    lock.withLock {
      if paths.count < StringPathCache.limit { paths[text] = plan }
    }
  }
}
