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
    let areDone = await Crew.run(
      within: 3000,
      (0..<settings.threads).map { number in
        { Worker(number, in: world, seed: settings.seed &* 8).run(settings.operations) }
      })
    try #require(areDone, "the threads wait for each other")
    let settlement = await Settlement(of: world)
    settlement.check()
    settlement.end()
    let (sentences, count) = world.faults.summary
    #expect(count == 0, "\(count) faults, the first of them: \(sentences)")
  }
}
