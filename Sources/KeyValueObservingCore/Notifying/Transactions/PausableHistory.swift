/// A history that leaves out what is changed while it pauses.
protocol PausableHistory: AnyObject {
  func pause()
  func resume()
}
