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

  /// The derived value whose computation computes another one.
  static func outer(of derived: DerivedValue) -> DerivedValue? {
    find(derived)?.outer?.assumingMemoryBound(to: Computation.self).pointee.derived
      .takeUnretainedValue()
  }

  static func isRunning(of derived: DerivedValue) -> Bool { find(derived) != nil }

  private static func find(_ derived: DerivedValue) -> Computation? {
    var candidate = ThreadState.current.pointee.computation
    while let computation = candidate?.assumingMemoryBound(to: Computation.self).pointee {
      if computation.derived.toOpaque() == Unmanaged.passUnretained(derived).toOpaque() {
        return computation
      }
      candidate = computation.outer
    }
    return nil
  }
}
