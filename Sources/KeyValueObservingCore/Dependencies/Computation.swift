/// An expression that is being computed on a thread.
struct Computation {
  private let expression: Unmanaged<Expression>
  private let outer: UnsafeMutableRawPointer?

  static func run<Result>(of expression: Expression, _ body: () -> Result) -> Result {
    let thread = ThreadState.current
    let outer = thread.pointee.computation
    var computation = Computation(expression: .passUnretained(expression), outer: outer)
    return withUnsafeMutablePointer(to: &computation) { computation in
      thread.pointee.computation = UnsafeMutableRawPointer(computation)
      defer { thread.pointee.computation = outer }
      return body()
    }
  }

  static func isRunning(of expression: Expression) -> Bool {
    var candidate = ThreadState.current.pointee.computation
    while let computation = candidate?.assumingMemoryBound(to: Computation.self).pointee {
      if computation.expression.toOpaque() == Unmanaged.passUnretained(expression).toOpaque() {
        return true
      }
      candidate = computation.outer
    }
    return false
  }
}
