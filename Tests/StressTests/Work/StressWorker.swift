import Testing

/// Works on a thread of its own with the objects of a world.
protocol StressWorker: AnyObject, Sendable {
  func run(_ operations: Int)
  /// Ends what the worker observes.
  func end()
}

/// Lets eight workers run at the same time, and expects that nothing is lost or left.
///
/// - `makeWorker`: Makes one of a number, with a seed.
func expectNothingLost(
  in world: World, workers makeWorker: (Int, UInt64) -> any StressWorker
) async throws {
  let settings = Settings.fromEnvironment
  // Printed first: a program that stops says no more.
  print("STRESS_SEED=\(settings.seed) STRESS_OPERATIONS=\(settings.operations)")
  var workers = (0..<settings.threads).map { makeWorker($0, settings.seed &* 8) }
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
