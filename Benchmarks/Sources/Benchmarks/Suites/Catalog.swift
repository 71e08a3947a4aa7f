/// Every benchmark, in the order of the table.
enum Catalog {
  static var benchmarks: [Benchmark] {
    suites.flatMap { suite in
      suite.benchmarks.map { benchmark in
        var benchmark = benchmark
        benchmark.suite = suite.title
        return benchmark
      }
    }
  }

  static func benchmarks(containing text: String) -> [Benchmark] {
    if text.isEmpty { return benchmarks }
    return benchmarks.filter { $0.subject.name.contains(text) || $0.suite.contains(text) }
  }

  /// Every subject and baseline once.
  static var subjects: [Subject] {
    var names: Set<String> = []
    return benchmarks.flatMap { [$0.baseline, $0.subject].compactMap { $0 } }
      .filter { names.insert($0.name).inserted }
  }

  private static var suites: [any Suite.Type] {
    [
      Unobserved.self, OneObserver.self, ManyObservers.self, OtherObservers.self,
      Registration.self, Values.self, Collections.self, KeyPaths.self, Dependencies.self,
      Coding.self, Sequences.self, Transactions.self, Threads.self, Memory.self,
      ObservationPeer.self,
    ] + gObjectSuites + peerSuites
  }
}
