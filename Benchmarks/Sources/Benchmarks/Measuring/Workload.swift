/// A loop that is ready to run: its objects made, its observers registered.
struct Workload {
  let ledger: Ledger
  /// How many callbacks one pass of the loop has to cause.
  let callbacksPerPass: Int
  /// How many operations one pass of the loop performs.
  let operationsPerPass: Int
  let loop: (_ passes: Int) -> Void

  /// Returns how long the loop takes.
  func time(_ passes: Int, of name: String) -> Duration {
    ContinuousClock().measure { run(passes, of: name) }
  }

  /// Runs the loop.
  ///
  /// A run that causes more or fewer callbacks than it has to measures something else, so it ends
  /// the program.
  func run(_ passes: Int, of name: String) {
    let before = ledger.callbacks
    loop(passes)
    let found = ledger.callbacks - before
    let expected = passes * callbacksPerPass
    guard found == expected else {
      fail("“\(name)” caused \(found) callbacks in \(passes) passes instead of \(expected)")
    }
  }
}
