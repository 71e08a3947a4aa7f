import Testing

@Suite("The model")
struct ModelTests {
  @Test(
    "P2, P3, P9…P13, P19, P22, P25…P27, P30, P33, P35: random programs agree with the model"
  )
  func randomPrograms() {
    let settings = Settings.fromEnvironment
    print("Programs of the seeds \(settings.seeds).")
    settings.run {
      Difference.find(in: Self.program($0)) != nil
    } explain: {
      let smallest = Shrinker.shrink(Self.program($0)) { Difference.find(in: $0) != nil }
      return Difference.find(in: smallest).map { "\($0)" } ?? ""
    }
  }

  private static func program(_ seed: UInt64) -> Program {
    var generator = Generator(seed: seed)
    return generator.program()
  }
}
