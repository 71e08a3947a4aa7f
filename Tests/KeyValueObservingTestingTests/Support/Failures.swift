import Synchronization
import Testing

/// The failures that a block reports to Swift Testing, which does not count them.
func failures(of body: () -> Void) -> [String] {
  let texts = Texts()
  withKnownIssue(isIntermittent: true) {
    body()
  } matching: { issue in
    texts.all.withLock { $0 += issue.comments.map(\.rawValue) }
    return true
  }
  return texts.all.withLock { $0 }
}

private final class Texts: Sendable {
  let all = Mutex<[String]>([])
}
