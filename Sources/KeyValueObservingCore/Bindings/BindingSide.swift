/// A property, or a value along a key path, that a binding keeps equal to another one.
final class BindingSide {
  /// The object, which is not retained (P67).
  ///
  /// A weak reference would slow down each retain of it from then on.
  private let reference: WeakReference
  let type: Any.Type
  let text: String
  private let value: BoundValue
  /// Its observation, whose token ends it.
  private var token: KeyValueObservation?
  private var registration: Registration?
  /// The registration, if it is one of a key path.
  private var path: DerivedValue?
  /// Its rank in a transaction, where no key has one for it: the side has none, or is copied, whatever keys lead to
  /// its value at the end.
  private var ownRank: (transaction: UInt64, rank: Int)?

  init(_ object: some KeyValueObservable, _ text: String, _ value: consuming BoundValue) {
    reference = WeakReference(object)
    type = Swift.type(of: object)
    self.text = text
    self.value = value
  }

  var object: AnyObject? { reference.target }
  var isAlive: Bool { reference.isAlive }

  func observe(_ token: KeyValueObservation, by registration: Registration) {
    self.token = token
    self.registration = registration
  }

  func observe(_ token: KeyValueObservation, along path: DerivedValue) {
    observe(token, by: path)
    self.path = path
  }

  func end() {
    token?.invalidate()
    (registration, path) = (nil, nil)
  }

  /// Whether what it observes is being mutated in place.
  var isBeingMutated: Bool {
    registration.map { InPlaceMutation.outermost(readBy: $0) != nil } ?? false
  }

  // MARK: Values

  /// Calls a closure with the address of the value; with nil if there is none.
  ///
  /// Reads are recorded as inputs of a getter that is being evaluated, so the caller has to see to it that none
  /// is.
  func withValue(_ body: BoundValue.Body) {
    guard let object else { return body(nil) }
    value.read(object, body)
  }

  /// Whether the objects on the way are there.
  var isReached: Bool {
    if path == nil { return true }
    var isReached = false
    withValue { isReached = $0 != nil }
    return isReached
  }

  /// Sets the value to the one at an address, because of the set with a rank.
  func write(
    _ address: UnsafeRawPointer, to object: AnyObject, because rank: Int,
    in transaction: Transaction
  ) throws(KeyValueCodingError) {
    // Known before the write, which is a set of each key.
    var formers: [ObjectIdentifier: GivenRank] = [:]
    if part != nil {
      for key in keysOfValue { formers[ObjectIdentifier(key)] = transaction.givenRank(of: key) }
    }
    try value.write?(object, address)
    setRank(rank, in: transaction, from: formers)
  }

  /// Whether the present value is known to be the same as the one at an address, or another one; nil if it is not
  /// known.
  func isSame(as address: UnsafeRawPointer) -> Bool? {
    guard let isSame = value.isSame else { return nil }
    var result: Bool?
    withValue { present in result = present.map { isSame($0, address) } }
    return result
  }

  /// The value at an address, as one of any type.
  func erase(_ address: UnsafeRawPointer) -> Any { value.erase(address) }

  /// Attaches along a key path of which a transaction has replaced an intermediate object, so that its keys are
  /// those of the present objects.
  func followObjects(in transaction: Transaction) {
    guard let path else { return }
    let hasMoved = path.lock.withLock { path.state.links }.contains { link in
      link.isIntermediate && link.observedKey.map { transaction.changedKey(at: $0) != nil } ?? false
    }
    if hasMoved { path.evaluateWhenPossible() }
  }

  // MARK: Ranks

  /// The position of its last set among the steps of a transaction, 0 if it was not set in that (P65).
  func rank(in transaction: Transaction) -> Int {
    var rank = ownRank.map { $0.transaction == transaction.number ? $0.rank : 0 } ?? 0
    let part = part
    forEachKey { key in
      rank = max(
        rank, key._withUnsafeGuaranteedRef { transaction.givenRank(of: $0).rank(of: part) })
    }
    return rank
  }

  /// Gives it a rank of its own, as if its value had been set.
  func setOwnRank(_ rank: Int, in transaction: Transaction) {
    ownRank = (transaction.number, rank)
  }

  /// Gives it the rank of the set that it was written from, or that it agrees with.
  ///
  /// Intermediate keys keep theirs: other sides have their values through them as well.
  ///
  /// - `formers`: The ranks of the keys of a part before that was written.
  func setRank(
    _ rank: Int, in transaction: Transaction, from formers: [ObjectIdentifier: GivenRank] = [:]
  ) {
    if path == nil {
      return forEachKey { key in
        key._withUnsafeGuaranteedRef { transaction.setRank(rank, of: $0) }
      }
    }
    let keys = keysOfValue
    // The value may be that of no key, such as a constant.
    if keys.isEmpty { setOwnRank(rank, in: transaction) }
    let part = part
    for key in keys {
      transaction.setRank(rank, of: key, part: part, from: formers[ObjectIdentifier(key)])
    }
  }

  /// The keys whose changes are changes of the value, without those that lead to its object.
  private var keysOfValue: [ObservedKey] {
    guard let path else { return [] }
    var found: [ObjectIdentifier: ObservedKey] = [:]
    findInputKeys(of: path, isOnlyOfValue: true, &found)
    return Array(found.values)
  }

  /// The key path, where its value is not the whole value of a key at its end.
  private var part: String? {
    guard let path else { return nil }
    let isWhole = path.lock.withLock { path.state.links }.contains { $0.role != .input }
    return isWhole ? nil : text + "."
  }

  /// Whether something holds for one of the keys whose changes are changes of the side.
  func containsKey(where matches: (ObservedKey) -> Bool) -> Bool {
    var isFound = false
    forEachKey { key in isFound = isFound || key._withUnsafeGuaranteedRef(matches) }
    return isFound
  }

  // Unmanaged, since most sides have one key, which its token keeps (row: set of a bound property).
  /// Calls `body` with the keys whose changes are changes of the side.
  private func forEachKey(_ body: (Unmanaged<ObservedKey>) -> Void) {
    guard let registration else { return }
    if path == nil, let key = registration.unmanagedKey,
      !key._withUnsafeGuaranteedRef(\.isComputed)
    {
      return body(key)
    }
    var found: [ObjectIdentifier: ObservedKey] = [:]
    findInputKeys(of: registration, isOnlyOfValue: false, &found)
    for key in found.values { body(.passUnretained(key)) }
  }
}

/// Finds the keys whose changes are changes of what a registration observes, each once.
///
/// - `isOnlyOfValue`: Whether intermediate keys of a path are left out.
private func findInputKeys(
  of registration: Registration, isOnlyOfValue: Bool,
  _ found: inout [ObjectIdentifier: ObservedKey]
) {
  let keys: [ObservedKey]
  if registration.isDerived {
    let derived = unsafeDowncast(registration, to: DerivedValue.self)
    keys = derived.lock.withLock { derived.state.links }
      .filter { !isOnlyOfValue || !$0.isIntermediate }.compactMap(\.observedKey)
  } else {
    keys = registration.observedKey.map { [$0] } ?? []
  }
  for key in keys where found.updateValue(key, forKey: ObjectIdentifier(key)) == nil {
    if let computedKey = key.computedKey {
      findInputKeys(of: computedKey, isOnlyOfValue: isOnlyOfValue, &found)
    }
  }
}

/// Receives the changes of a binding's side that is a key.
final class BindingRegistration: Registration {
  private unowned let binding: BoundSides
  private unowned let side: BindingSide

  init(_ side: BindingSide, of binding: BoundSides) {
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

  // One that is made in a prior notification writes the change, too: its sides would not be equal (P63).
  override var comesWithObserver: Bool { false }
}
