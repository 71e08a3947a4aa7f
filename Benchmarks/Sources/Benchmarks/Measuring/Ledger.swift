import KeyValueObserving

/// Counts the callbacks of one workload and keeps what has to outlive its loop.
final class Ledger: @unchecked Sendable {  // only one thread at a time uses it
  private(set) var callbacks = 0
  private var sum = 0
  private var kept: [AnyObject] = []

  /// Notes a callback that got a value.
  func note(_ value: Int) {
    callbacks &+= 1
    sum &+= value
  }

  /// Notes callbacks that were counted elsewhere.
  func note(times count: Int) { callbacks &+= count }

  /// Notes a callback of one of several observers.
  func note(_ value: Int, at place: Int) {
    note(value &+ place)
  }

  /// Notes a callback that got an old and a new value.
  func note(_ change: KeyValueChange<Int>, at place: Int = 0) {
    note((change.newValue ?? 0) &- (change.oldValue ?? 0), at: place)
  }

  /// Notes a callback that got values of any type, and sees whether there is a new one.
  func note(_ change: KeyValueChange<Any?>) {
    note(change.newValue == nil ? 0 : 1)
  }

  /// The same for an observer that casts both values to the type that they have.
  func noteCast(_ change: KeyValueChange<Any?>) {
    note((change.newValue as? Int ?? 0) &- (change.oldValue as? Int ?? 0))
  }

  /// Keeps an object, a token mostly, until the ledger is closed.
  func keep(_ object: AnyObject) {
    kept.append(object)
  }

  /// Lets go of everything.
  ///
  /// Without it, tokens and callbacks would keep each other.
  func close() {
    kept = []
    measuringSink(sum)
  }
}
