import Testing

@Suite("Random programs")
struct StepKindTests {
  private static let programs = (0..<1000).map { seed -> Program in
    var generator = Generator(seed: UInt64(seed))
    return generator.program()
  }

  @Test("Each kind of step occurs in most programs", arguments: StepKind.allCases)
  func occurrence(of kind: StepKind) {
    let count = Self.programs.count { $0.kinds.contains(kind) }
    #expect(count > Self.programs.count / 2, "\(count) of \(Self.programs.count) programs")
  }

  @Test("Each kind of step notifies observers in many programs")
  func notifications() {
    var counts: [StepKind: Int] = [:]
    for program in Self.programs {
      for kind in ModelRun.run(program).notifyingKinds { counts[kind, default: 0] += 1 }
    }
    for kind in StepKind.ofStatements {
      let count = counts[kind, default: 0]
      #expect(count > Self.programs.count / 10, "\(kind): \(count) of \(Self.programs.count)")
    }
  }
}
