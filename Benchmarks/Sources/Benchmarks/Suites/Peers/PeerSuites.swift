#if Peers
  /// The suites of the libraries that the trait `Peers` brings.
  var peerSuites: [any Suite.Type] {
    [RxSwiftPeer.self, OpenCombinePeer.self, ReactiveSwiftPeer.self]
  }
#else
  /// Without the trait `Peers` there are none.
  var peerSuites: [any Suite.Type] { [] }
#endif
