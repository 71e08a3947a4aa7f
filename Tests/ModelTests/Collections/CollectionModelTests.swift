import Testing

/// Claims of every observer of a collection, whatever is done to that: each change fits the collection that it has
/// received until then, and makes it the present one.
@Suite("Collections that are rebuilt")
struct CollectionModelTests {
  @Test(
    "P11, P35, P37, P49, P59, P63: collections that are rebuilt from changes are the present ones")
  func randomPrograms() {
    Settings.collections.run {
      !CollectionRun.run(CollectionProgram(seed: $0)).faults.isEmpty
    } explain: { seed in
      let run = CollectionRun.run(
        CollectionProgram(seed: seed).shrunk { !CollectionRun.run($0).faults.isEmpty })
      return (run.history + run.faults).joined(separator: "\n")
    }
  }
}
