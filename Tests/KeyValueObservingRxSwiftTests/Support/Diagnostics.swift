#if RxSwift
  import KeyValueObservingRxSwift
  import Synchronization

  /// Collects the diagnostics of this process.
  ///
  /// Tests use it in a process of their own, since those of other targets listen as well.
  enum Diagnostics {
    private static let sentences = Mutex<[String]>([])

    static func collect() {
      KeyValueDiagnostics.handler = { diagnostic in
        sentences.withLock { $0.append(diagnostic.message) }
      }
    }

    static func take() -> [String] {
      sentences.withLock { sentences in
        defer { sentences = [] }
        return sentences
      }
    }
  }
#endif
