import Testing

@Suite("The model")
struct ModelTests {
  @Test(
    "P2, P3, P9…P13, P19, P22, P25…P27, P30, P33, P35: random programs agree with the model"
  )
  func randomPrograms() {
    let settings = Settings.fromEnvironment
    print("Programs of the seeds \(settings.seeds).")
    for seed in settings.seeds {
      var generator = Generator(seed: seed)
      let program = generator.program()
      guard Difference.find(in: program) != nil else { continue }
      let smallest = Shrinker.shrink(program) { Difference.find(in: $0) != nil }
      Issue.record("Seed \(seed):\n\(Difference.find(in: smallest)!)")
      return
    }
  }
}
