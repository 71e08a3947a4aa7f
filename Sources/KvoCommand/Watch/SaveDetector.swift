/// Decides when a file is worth reading, from its stamp at each look.
///
/// A file is read at each look until it has kept its stamp for a while. So a save is noticed
/// immediately, two saves within one tick of the file system's clock are distinguished, and a slow
/// editor has the time to finish before its incomplete file is reported as malformed.
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

  /// - `stamp`: The stamp of the file, nil if there is no file.
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
