#if Peers
  import KeyValueObservingOpenCombine
  import Models
  import OpenCombine

  /// Properties as publishers, beside OpenCombine's own subjects.
  enum CombineStreams {
    static var benchmarks: [Benchmark] {
      [
        Benchmark(publisher, against: CombineSubjectProperty.set(observers: 1), goal: .ratio(2)),
        Benchmark(
          subscribing, against: CombineSubjectProperty.registerAndEnd(), goal: .ratio(2)),
      ]
    }

    private static var publisher: Subject {
      Subject("publisher(for:).sink, set, 1 subscribed", callbacks: 1) { ledger in
        let model = Model()
        ledger.keep(Kept(model.publisher(for: \.count).sink { ledger.note($0, at: 0) }))
        return { passes in
          for value in 0..<passes { model.count = value }
        }
      }
    }

    private static var subscribing: Subject {
      Subject("publisher(for:).sink, subscribe + cancel", callbacks: 1) { ledger in
        let model = Model()
        return { passes in
          for place in 0..<passes {
            model.publisher(for: \.count).sink { ledger.note($0, at: place) }.cancel()
          }
        }
      }
    }
  }
#endif
