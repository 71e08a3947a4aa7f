#if Peers
  /// ReactiveSwift: properties, and a path by `flatMap(.latest)`.
  enum ReactiveSwiftPeer: Suite {
    static let title = "Compared with ReactiveSwift"

    static var benchmarks: [Benchmark] {
      PeerComparison.benchmarks(ReactiveProperty.self)
        + PeerComparison.benchmarks(ReactiveNode.self)
    }
  }
#endif
