/// A loop that is ready to run: its objects made, its observers registered.
struct Workload {
  let ledger: Ledger
  /// How many callbacks one pass of the loop has to cause.
  let callbacksPerPass: Int
  /// How many operations one pass of the loop performs.
  let operationsPerPass: Int
  let loop: (_ passes: Int) -> Void

  /// Runs the loop and returns how long it took.
  ///
  /// A run that caused more or fewer callbacks than it had to measures something else, so it ends
  /// the program.
  func time(_ passes: Int, of name: String) -> Duration {
    let before = ledger.callbacks
    let elapsed = ContinuousClock().measure { loop(passes) }
    let found = ledger.callbacks - before
    let expected = passes * callbacksPerPass
    guard found == expected else {
      fail("“\(name)” caused \(found) callbacks in \(passes) passes instead of \(expected)")
    }
    return elapsed
  }
}
