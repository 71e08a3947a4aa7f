import Testing

@Suite("Stress", .serialized)
struct StressTests {
  @Test(
    "P31, P33, P38, P39, P41: eight threads, and when the dust settles nothing is lost or left",
    .timeLimit(.minutes(60)))
  func eightThreads() async throws {
    let settings = Settings.fromEnvironment
    print("STRESS_SEED=\(settings.seed) STRESS_OPERATIONS=\(settings.operations)")
    let world = World()
    var workers = (0..<settings.threads).map {
      Worker($0, in: world, seed: settings.seed &* 8)
    }
    // The dust settles several times, since a later change mends what an earlier one has missed.
    for _ in 0..<settings.stretches {
      let count = settings.operations / settings.stretches
      let areDone = await Crew.run(within: 1200, workers.map { worker in { worker.run(count) } })
      try #require(areDone, "the threads wait for each other")
      await Settlement(of: world).check()
    }
    for worker in workers { worker.end() }
    workers = []
    let settlement = await Settlement(of: world)
    settlement.check()
    settlement.end()
    let (sentences, count) = world.faults.summary
    #expect(count == 0, "\(count) faults, the first of them: \(sentences)")
  }
}
