import KeyValueObserving
import TestSupport

/// Collects the diagnostics that arise while it lives.
final class Diagnostics: Sendable {
  private final class Store: Sendable {
    let sentences = Guarded<[String]>([])
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

/// The identifiers of the diagnostics that a closure causes.
func reportedIdentifiers(of body: () throws -> Void) rethrows -> [String] {
  let identifiers = Guarded<[String]>([])
  try KeyValueDiagnostics.withHandler({ diagnostic in
    identifiers.withLock { $0.append(diagnostic.id.rawValue) }
  }) { try body() }
  return identifiers.value
}
