#if Peers
  /// OpenCombine: subjects, `@Published`, and a path by `switchToLatest`.
  enum OpenCombinePeer: Suite {
    static let title = "Compared with OpenCombine"

    static var benchmarks: [Benchmark] {
      PeerComparison.benchmarks(CombineSubjectProperty.self)
        + PeerComparison.benchmarks(CombinePublishedProperty.self)
        + PeerComparison.benchmarks(CombineNode.self) + CombineStreams.benchmarks
    }
  }
#endif
