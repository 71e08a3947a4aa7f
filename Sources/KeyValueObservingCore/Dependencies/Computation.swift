/// A derived value that is being computed on a thread.
struct Computation {
  private let derived: Unmanaged<DerivedValue>
  private let outer: UnsafeMutableRawPointer?
  /// The delivery in which it has begun, and the change whose prior notifications it has begun in.
  private let delivery: UnsafeMutableRawPointer?
  private let preparation: UnsafeMutableRawPointer?

  /// Computes a derived value, whose reads are no inputs of another one that is being computed.
  static func run<Result>(of derived: DerivedValue, _ body: () -> Result) -> Result {
    let thread = ThreadState.current
    let (outer, recorder) = (thread.pointee.computation, thread.pointee.recorder)
    var computation = Computation(
      derived: .passUnretained(derived), outer: outer, delivery: thread.pointee.delivery,
      preparation: thread.pointee.preparation)
    return withUnsafeMutablePointer(to: &computation) { computation in
      thread.pointee.computation = UnsafeMutableRawPointer(computation)
      thread.pointee.recorder = nil
      defer {
        thread.pointee.computation = outer
        thread.pointee.recorder = recorder
      }
      return body()
    }
  }

  /// The derived value whose computation computes another one.
  static func outer(of derived: DerivedValue) -> DerivedValue? {
    find(derived)?.outer?.assumingMemoryBound(to: Computation.self).pointee.derived
      .takeUnretainedValue()
  }

  static func isRunning(of derived: DerivedValue) -> Bool { find(derived) != nil }

  /// Whether an observer is being called in the computation of a derived value: of what its getter sets.
  static func callsObserver(in derived: DerivedValue) -> Bool {
    let thread = ThreadState.current
    guard let computation = find(derived) else { return false }
    return computation.delivery != thread.pointee.delivery
      || computation.preparation != thread.pointee.preparation
  }

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
