#if Peers
  /// RxSwift: subjects, and a path by `flatMapLatest`.
  enum RxSwiftPeer: Suite {
    static let title = "Compared with RxSwift"

    static var benchmarks: [Benchmark] {
      PeerComparison.benchmarks(RxRelayProperty.self)
        + PeerComparison.benchmarks(RxBehaviorProperty.self)
        + PeerComparison.benchmarks(RxPublishProperty.self)
        + PeerComparison.benchmarks(RxNode.self) + RxStreams.benchmarks
    }
  }
#endif
