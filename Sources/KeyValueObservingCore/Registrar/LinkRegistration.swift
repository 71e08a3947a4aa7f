/// The registration of a derived value at a key that it reads: in the layer of dependencies, a `Link`.
///
/// Its `observation` is the derived value.
protocol LinkRegistration: Registration {
  /// The computed key of which the key is an input; nil if the key is on a path.
  var computedKey: (any KeyComputing)? { get }

  /// The object from which a path leads to the key.
  var root: AnyObject? { get }

  /// Whether another link of the same derived value has replaced this one at the same key.
  var isReplaced: Bool { get }

  /// Evaluates the derived value, which may have been read before the change that has just been made.
  func catchUp()

  /// The same where a rollback has put back the value of the key, if it was read in the transaction.
  func followRestoredValue(inTransaction number: UInt64)

  /// Takes back what the derived value has noted of a change that will not reach it.
  func forget(_ delivery: UnsafeMutablePointer<Delivery>)

  /// Traps where the state of the derived value contradicts itself.
  func checkInvariants()
}
