/// A property, or a value along a key path, that a binding keeps equal to another one.
///
/// It works with values of any type, since the two sides may have different ones.
final class BindingSide {
  /// The object, which is not retained (P67).
  private(set) weak var object: (any KeyValueObservable)?
  let type: Any.Type
  let text: String
  private let readValue: (AnyObject) -> Any?
  private let writeValue: ((AnyObject, Any) -> Void)?
  private let isSame: ((Any, Any) -> Bool)?
  /// Its observation, and the registration that the token keeps.
  private var token: KeyValueObservation?
  private weak var registration: Registration?

  /// - `read`: Reads the value, of the side's type; nil where an intermediate object is nil.
  /// - `write`: Sets a value of that type; nil for a side that is never written.
  /// - `isSame`: Compares two values; nil if they cannot be compared.
  init(
    _ object: any KeyValueObservable, _ text: String, read: @escaping (AnyObject) -> Any?,
    write: ((AnyObject, Any) -> Void)?, isSame: ((Any, Any) -> Bool)?
  ) {
    self.object = object
    type = Swift.type(of: object)
    self.text = text
    readValue = read
    writeValue = write
    self.isSame = isSame
  }

  func observe(_ token: KeyValueObservation, by registration: Registration) {
    self.token = token
    self.registration = registration
  }

  func end() { token?.invalidate() }

  // MARK: Values

  func read() -> Any? {
    guard let object else { return nil }
    return KeyValueRegistrar.untracked { readValue(object) }
  }

  /// Whether the objects on the way are there.
  var isReached: Bool { registration is DerivedValue ? read() != nil : true }

  func write(_ value: Any) {
    if let object { writeValue?(object, value) }
  }

  /// Whether the present value is known to be the same as another one.
  func has(_ value: Any) -> Bool {
    guard let isSame, let present = read() else { return false }
    return isSame(present, value)
  }

  /// Whether the present value is known to be another one.
  func differs(from value: Any) -> Bool {
    guard let isSame, let present = read() else { return false }
    return !isSame(present, value)
  }

  /// Attaches along a key path of which a transaction has replaced an intermediate object, so that its keys are
  /// those of the present objects.
  func followObjects(in transaction: Transaction) {
    guard let derived = registration as? DerivedValue else { return }
    let hasMoved = derived.lock.withLock { derived.state.links }.contains { link in
      link.isBeforeLast && link.observedKey.map { transaction.changedKey(at: $0) != nil } ?? false
    }
    if hasMoved { derived.evaluateWhenPossible() }
  }

  // MARK: Ranks

  /// The position of its last set among the steps of a transaction, 0 if it was not set in that (P65).
  func rank(in transaction: Transaction) -> Int {
    var rank = 0
    forEachKey { rank = max(rank, transaction.rank(of: $0)) }
    return rank
  }

  /// Gives it the rank of the set that it was written from, or that it agrees with.
  func setRank(_ rank: Int, in transaction: Transaction) {
    forEachKey { transaction.setRank(rank, of: $0) }
  }

  private func forEachKey(_ body: (ObservedKey) -> Void) {
    guard let registration else { return }
    if let key = registration.observedKey, !(registration is DerivedValue), key.computedKey == nil {
      return body(key)
    }
    var found: [ObjectIdentifier: ObservedKey] = [:]
    findInputKeys(of: registration, &found)
    for key in found.values { body(key) }
  }
}

/// Finds the keys whose changes are changes of what a registration observes, each once.
private func findInputKeys(
  of registration: Registration, _ found: inout [ObjectIdentifier: ObservedKey]
) {
  let keys: [ObservedKey]
  if let derived = registration as? DerivedValue {
    keys = derived.lock.withLock { derived.state.links }.compactMap(\.observedKey)
  } else {
    keys = registration.observedKey.map { [$0] } ?? []
  }
  for key in keys where found.updateValue(key, forKey: ObjectIdentifier(key)) == nil {
    if let computedKey = key.computedKey { findInputKeys(of: computedKey, &found) }
  }
}

/// Receives the changes of a binding's side that is a key.
final class BindingRegistration: Registration {
  private unowned let binding: KeyValueBinding
  private unowned let side: BindingSide

  init(_ side: BindingSide, of binding: KeyValueBinding) {
    self.side = side
    self.binding = binding
    super.init(
      needs: [.prior],
      receive: { registration, delivery in
        let registration = unsafeDowncast(registration, to: BindingRegistration.self)
        registration.binding.receive(
          at: registration.side, isPrior: delivery.pointee.phase == .prior)
      })
    isOfBinding = true
  }
}
