#if Peers
  /// The rows that every reactive library gets: ours to its.
  enum PeerComparison {
    static func benchmarks(_ property: (some PeerProperty).Type) -> [Benchmark] {
      [
        Benchmark(OneObserver.observed, against: property.set(observers: 1), goal: .ratio(1 / 7)),
        Benchmark(ManyObservers.observed(by: 10), against: property.set(observers: 10)),
        Benchmark(ManyObservers.observed(by: 1000), against: property.set(observers: 1000)),
        Benchmark(Registration.registerAndEnd(), against: property.registerAndEnd()),
        Benchmark(
          Registration.registerAndEnd(others: 1000), against: property.registerAndEnd(others: 1000)),
      ] + [1, 10, 1000].map { Benchmark(Transactions.sets($0), against: property.sets($0)) }
    }

    static func benchmarks(_ node: (some PeerNode).Type) -> [Benchmark] {
      KeyPaths.depths.flatMap { depth in
        [
          Benchmark(KeyPaths.lastKeySet(depth: depth), against: node.lastKeySet(depth: depth)),
          Benchmark(
            KeyPaths.linkReplaced(at: 0, depth: depth, "top"),
            against: node.topLinkReplaced(depth: depth)),
          Benchmark(
            KeyPaths.registerAndEnd(depth: depth), against: node.registerAndEnd(depth: depth)),
        ]
      }
    }
  }
#endif
