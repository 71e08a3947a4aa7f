/// Decides when a file is worth reading, from what it looks like each time somebody looks.
///
/// A file is read at each look until it has kept its stamp for a while. So a save is seen at once,
/// two saves within one tick of the file system's clock are not taken for one, and a slow editor
/// has the time to finish before its half-written file is called broken.
struct SaveDetector<Stamp: Equatable> {
  enum Advice: Equatable {
    /// It is the file that was read last.
    case nothing
    /// It may be half a save, so a problem need not be reported yet.
    case read
    /// It has come to rest, so a problem is one.
    case readAtRest
  }

  private let restingTime: Duration
  private var stamp: Stamp?
  private var since: ContinuousClock.Instant?
  private var isAtRest = false

  init(restingTime: Duration = .milliseconds(150)) {
    self.restingTime = restingTime
  }

  /// - `stamp`: What the file looks like, nil if it is not there.
  mutating func look(
    at stamp: Stamp?, now: ContinuousClock.Instant
  ) -> Advice {
    guard let since, stamp == self.stamp else {
      self.stamp = stamp
      since = now
      isAtRest = false
      return .read
    }
    if isAtRest { return .nothing }
    isAtRest = now - since >= restingTime
    return isAtRest ? .readAtRest : .read
  }
}
