/// A subject while it is being measured.
protocol Probe: AnyObject {
  /// Warms up and finds out how long a batch has to be.
  func calibrate()
  /// Measures once.
  func takeBatch()
  /// The result of all batches.
  var measurement: Measurement { get }
  /// Performs the passes of a loop without timing them, for a profiler.
  func run(passes: Int)
  /// Lets go of the objects and observers.
  func close()
}
