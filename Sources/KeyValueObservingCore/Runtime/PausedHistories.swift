internal import CKeyValueObserving

/// A history that leaves out what is changed while it pauses.
protocol PausableHistory: AnyObject {
  /// How many pauses are around the running code.
  var pauses: Int { get set }
}

/// The histories that pause on a thread, each as often as it does.
///
/// Mostly there are none, and no object is made (row: willChangeValue + didChangeValue).
final class PausedHistories {
  let histories: [any PausableHistory]

  init(_ histories: [any PausableHistory]) { self.histories = histories }
}

extension UnsafeMutablePointer<kvo_thread_state> {
  /// The histories that leave out what the thread changes now; nil if none does.
  private(set) var pausedHistories: PausedHistories? {
    get { pointee.paused_histories.map { Unmanaged.fromOpaque($0).takeUnretainedValue() } }
    nonmutating set {
      for history in pausedHistories?.histories ?? [] { history.pauses -= 1 }
      for history in newValue?.histories ?? [] { history.pauses += 1 }
      let former = pointee.paused_histories
      pointee.paused_histories = newValue.map { Unmanaged.passRetained($0).toOpaque() }
      if let former { Unmanaged<PausedHistories>.fromOpaque(former).release() }
    }
  }

  /// Runs `body`, whose changes one more history leaves out.
  func pausing<Result, Failure>(
    also history: any PausableHistory, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = pausedHistories?.histories ?? []
    return try pausingOnly(PausedHistories(outer + [history]), body)
  }

  /// Runs `body`, whose changes some histories leave out, and no others do.
  func pausingOnly<Result, Failure>(
    _ histories: PausedHistories?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if histories == nil, pointee.paused_histories == nil { return try body() }
    let outer = pausedHistories
    pausedHistories = histories
    defer { pausedHistories = outer }
    return try body()
  }
}
