public import CKeyValueObserving
internal import Synchronization

/// The engine's state for the running thread.
@usableFromInline
enum ThreadState {
  static var current: UnsafeMutablePointer<kvo_thread_state> { kvo_thread() }

  /// The identity of the running thread.
  static var identity: UnsafeMutableRawPointer { UnsafeMutableRawPointer(current) }

  /// The identity of the running task or, outside of tasks, of the running thread.
  static var codeIdentity: UnsafeMutableRawPointer { kvo_current_task() ?? identity }

  /// A number that no other change has, greater than those of all changes that began before.
  ///
  /// The order holds across threads: a mutation in place, and a change between the calls of a manual
  /// notification, may end on another thread than they began on, and are then delivered among the changes
  /// of that one by their numbers (`DerivedValueState.markMade(_:on:)`). So all threads share one counter.
  static func makeChangeNumber() -> UInt64 {
    let change = changeCount.wrappingAdd(1, ordering: .relaxed).newValue
    current.pointee.last_change = change
    return change
  }

  private static let changeCount = Atomic<UInt64>(0)

  /// Runs `body`, whose reads are not recorded as inputs of a derived value that is being evaluated: a getter may
  /// register (P21).
  @inlinable
  static func pauseRecording<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    _slowPath(kvo_is_recording()) ? try pausingRecorder(body) : try body()
  }

  @usableFromInline
  static func pausingRecorder<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let recorder = current.pointee.recorder
    current.pointee.recorder = nil
    defer { current.pointee.recorder = recorder }
    return try body()
  }
}
