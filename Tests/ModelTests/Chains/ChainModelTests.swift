import Testing

/// Claims of every observer, whatever handlers do: each old value is the new one that it received before, the last new
/// one is the present value, and nothing is delivered after the end.
@Suite("Old values that chain")
struct ChainModelTests {
  @Test("P11, P13, P25, P27, P44, P48, P50: handlers make changes, and old values chain")
  func randomPrograms() {
    Settings.transactions.run {
      !ChainRun.run(.program($0)).faults.isEmpty
    } explain: { seed in
      let smallest = [ChainStep].program(seed).shrunk { !ChainRun.run($0).faults.isEmpty }
      let run = ChainRun.run(smallest)
      return (run.history + run.faults).joined(separator: "\n")
    }
  }
}
