import Testing

@Suite("The model")
struct ModelTests {
  @Test("P1…P37: random programs are told as the model of the contract tells them")
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
