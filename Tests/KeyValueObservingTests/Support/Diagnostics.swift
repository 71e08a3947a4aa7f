import KeyValueObserving
import Synchronization

/// Collects the diagnostics that arise while it lives.
final class Diagnostics: Sendable {
  private final class Store: Sendable {
    let sentences = Mutex<[String]>([])
  }
  private let store = Store()
  private let former: (@Sendable (KeyValueDiagnostic) -> Void)?

  init() {
    former = KeyValueDiagnostics.handler
    KeyValueDiagnostics.handler = { [store] diagnostic in
      store.sentences.withLock { $0.append(diagnostic.message) }
    }
  }

  deinit {
    KeyValueDiagnostics.handler = former
  }

  func take() -> [String] {
    store.sentences.withLock { sentences in
      defer { sentences = [] }
      return sentences
    }
  }
}
