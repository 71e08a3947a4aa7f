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
  /// The rank that a write from the other side has given it in the present transaction.
  private var writtenRank = 0

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

  var isWritten: Bool { writeValue != nil }

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

  // MARK: Ranks

  /// The position of its last set among the steps of a transaction, 0 if it was not set in that (P65).
  func rank(in transaction: Transaction) -> Int {
    keys(in: transaction).reduce(writtenRank) { max($0, $1.lastStep) }
  }

  /// Gives it the rank of the set that it was written from.
  ///
  /// - `step`: The last step before it was written.
  func setRank(_ rank: Int, after step: Int, in transaction: Transaction) {
    writtenRank = rank
    for key in keys(in: transaction) where key.lastStep > step { key.lastStep = rank }
  }

  func beginTransaction() { writtenRank = 0 }

  private func keys(in transaction: Transaction) -> [PendingKey] {
    guard let registration else { return [] }
    return inputKeys(of: registration).compactMap { transaction.changedKey(at: $0) }
  }
}

/// The keys whose changes are changes of what a registration observes.
private func inputKeys(of registration: Registration) -> [ObservedKey] {
  let keys: [ObservedKey]
  if let derived = registration as? DerivedValue {
    keys = derived.lock.withLock { derived.state.links }.compactMap(\.observedKey)
  } else {
    keys = registration.observedKey.map { [$0] } ?? []
  }
  return keys + keys.flatMap { $0.computedKey.map { inputKeys(of: $0) } ?? [] }
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
