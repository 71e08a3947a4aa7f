import Testing

@Suite("Random programs")
struct StepKindTests {
  // Not kept in a global: LeakSanitizer does not recognize the pointers in enums with several payloads.
  private func programs() -> [Program] {
    (0..<1000).map { seed in
      var generator = Generator(seed: UInt64(seed))
      return generator.program()
    }
  }

  @Test("Each kind of step occurs in most programs")
  func occurrence() {
    let kinds = programs().map(\.kinds)
    for kind in StepKind.allCases {
      let count = kinds.count { $0.contains(kind) }
      #expect(count > kinds.count / 2, "\(kind): \(count) of \(kinds.count) programs")
    }
  }

  @Test("Each kind of step notifies observers in many programs")
  func notifications() {
    let programs = programs()
    var counts: [StepKind: Int] = [:]
    for program in programs {
      for kind in ModelRun.run(program).notifyingKinds { counts[kind, default: 0] += 1 }
    }
    for kind in StepKind.ofStatements {
      let count = counts[kind, default: 0]
      #expect(count > programs.count / 10, "\(kind): \(count) of \(programs.count)")
    }
  }
}
