import Testing

@Suite("Stress", .serialized)
struct StressTests {
  @Test(
    "P31, P33, P38, P39, P41: eight threads, and when the dust settles nothing is lost or left",
    .timeLimit(.minutes(60)))
  func changesAndObservers() async throws {
    let world = World()
    try await expectNothingLost(in: world) { Worker($0, in: world, seed: $1) }
  }

  @Test(
    "P50, P54, P56, P39: eight threads with transactions, and when the dust settles nothing is lost",
    .timeLimit(.minutes(60)))
  func transactions() async throws {
    let world = World()
    // Transactions with shared objects exclude each other.
    let turn = Turn()
    try await expectNothingLost(in: world) {
      TransactionWorker($0, in: world, turn: turn, seed: $1)
    }
  }
}
