internal import Foundation

/// The readiness of an operation of which observers were notified.
///
/// A plain value without a lock.
///
/// Foundation does not notify when a dependency finishes, but asks the operation whether it is
/// ready. So a change is found when `isReady` is read, and observers are notified of it there.
struct Readiness {
  /// The answer that observers know, nil before the first question.
  private var known: Bool?
  /// The answer while they are being notified that there is another one.
  private(set) var former: Bool?
  /// The thread that notifies them, or finds that there is nothing new.
  private var thread: ObjectIdentifier?
  private var isAskedAgain = false

  /// Whether the running thread is to look for a change.
  ///
  /// A question of that thread itself is a part of looking, one of another thread is left to it.
  mutating func begin() -> Bool {
    let current = ObjectIdentifier(Thread.current)
    if thread == nil {
      thread = current
      return true
    }
    if thread != current { isAskedAgain = true }
    return false
  }

  /// Returns whether the answer is another one, of which observers are to be notified.
  mutating func isNews(_ isReady: Bool) -> Bool {
    guard let known, known != isReady else {
      self.known = isReady
      return false
    }
    former = known
    return true
  }

  mutating func publish(_ isReady: Bool) {
    known = isReady
    former = nil
  }

  /// Returns false if another thread has asked meanwhile, for which this one looks again.
  mutating func end() -> Bool {
    defer { isAskedAgain = false }
    if isAskedAgain { return false }
    thread = nil
    return true
  }
}
