import Models

/// Whether threads that use their own objects stand in each other's way.
enum Threads: Suite {
  static let title = "Threads, each with its own object"

  static var benchmarks: [Benchmark] {
    [
      // Two threads together do at least 1.8 times as much as one.
      Benchmark(set(threads: 2), against: set(threads: 1), goal: .ratio(1 / 1.8)),
      Benchmark(
        registerAndEnd(threads: 2), against: registerAndEnd(threads: 1), goal: .ratio(1 / 1.8)),
      Benchmark(setOnPath(threads: 2), against: setOnPath(threads: 1), goal: .ratio(1 / 1.8)),
      Benchmark(keyPath(threads: 2), against: keyPath(threads: 1)),
    ]
  }

  private static func set(threads: Int) -> Subject {
    race("set, 1 observer", threads, on: OneObserver.observed)
  }

  /// Changes of a key to which a path leads are numbered.
  private static func setOnPath(threads: Int) -> Subject {
    race("path of 2, last key set", threads, on: KeyPaths.lastKeySet(depth: 2))
  }

  private static func registerAndEnd(threads: Int) -> Subject {
    race("register + end", threads, on: Registration.registerAndEnd())
  }

  /// The one thing that registrations of one property share is the object of its key path, whose
  /// references Swift counts wherever it is mentioned.
  private static func keyPath(threads: Int) -> Subject {
    race(
      "mention a key path", threads,
      on: Subject("mention a key path") { _ in
        { passes in
          for _ in 0..<passes { mention(\.count) }
        }
      })
  }

  @inline(never)
  private static func mention(_ keyPath: KeyPath<Model, Int>) {
    measuringSink(Int(bitPattern: Unmanaged.passUnretained(keyPath).toOpaque()))
  }

  private static func race(_ name: String, _ threads: Int, on subject: Subject) -> Subject {
    let name = "\(name), \(threads) thread\(threads == 1 ? "" : "s")"
    return Subject(name: name, unit: .nanoseconds) {
      RaceProbe(threads: threads, lane: subject.prepare)
    }
  }
}
