/// A derived value that is being computed on a thread.
struct Computation {
  private let derived: Unmanaged<DerivedValue>
  private let outer: UnsafeMutableRawPointer?

  static func run<Result>(of derived: DerivedValue, _ body: () -> Result) -> Result {
    let thread = ThreadState.current
    let outer = thread.pointee.computation
    var computation = Computation(derived: .passUnretained(derived), outer: outer)
    return withUnsafeMutablePointer(to: &computation) { computation in
      thread.pointee.computation = UnsafeMutableRawPointer(computation)
      defer { thread.pointee.computation = outer }
      return body()
    }
  }

  static func isRunning(of derived: DerivedValue) -> Bool {
    var candidate = ThreadState.current.pointee.computation
    while let computation = candidate?.assumingMemoryBound(to: Computation.self).pointee {
      if computation.derived.toOpaque() == Unmanaged.passUnretained(derived).toOpaque() {
        return true
      }
      candidate = computation.outer
    }
    return false
  }
}
