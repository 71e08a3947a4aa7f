/// A history that knows of a change which has begun.
struct ChangeRecorder {
  let history: any PausableHistory
  /// Whether it records the change.
  let records: Bool
}

/// A history that leaves out what is changed while it pauses.
protocol PausableHistory: AnyObject {
  func pause()
  func resume()
}
