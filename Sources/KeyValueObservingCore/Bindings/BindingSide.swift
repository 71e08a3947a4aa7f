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
  /// A change of it in a transaction that is none of a key: the side is copied, or agrees with a set of the other one
  /// though it has the value of several keys, or of none.
  private var ownChange: OwnChange?

  /// The step of a transaction up to which it agrees with the other side.
  var agreedStep = 0

  /// A change of the side in a transaction.
  struct Change: Comparable {
    /// The position of the set that it comes from among the steps of the transaction (P65).
    let rank: Int
    /// The lowest of the ranks of the parts of its value, of which bindings may have written some.
    let lowestRank: Int
    /// Whether the side only has the value of a set of another one already, or keeps its own: it is no change that
    /// the side passes on.
    var isAgreement = false

    /// A set of the whole value at a step.
    init(at step: Int) { (rank, lowestRank) = (step, step) }

    /// The change of a key, or of a part of its value.
    init(_ given: GivenRank, of part: String?) {
      rank = given.rank(of: part)
      lowestRank = part == nil ? given.rankOfOthers : rank
    }

    static func == (one: Change, other: Change) -> Bool {
      (one.rank, one.lowestRank) == (other.rank, other.lowestRank)
    }

    static func < (one: Change, other: Change) -> Bool {
      (one.rank, one.lowestRank) < (other.rank, other.lowestRank)
    }
  }

  private struct OwnChange {
    let transaction: UInt64
    let step: Int
    let change: Change
    /// The observers in whose names the side is copied; nil if it is not.
    var excluded: Set<ObserverIdentity>?
    /// The histories that leave out that it is copied; nil likewise.
    var pausedHistories: [any PausableHistory]?
  }

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

  /// Sets the value to the one at an address, because of a change of the other side.
  func write(
    _ address: UnsafeRawPointer, to object: AnyObject, because change: Change,
    in transaction: Transaction
  ) throws(KeyValueCodingError) {
    let (key, part) = (valueKey, part)
    if part == nil, let key, !key.isComputed {
      try value.write?(object, address)
      return transaction.setRank(change.rank, lowestRank: change.lowestRank, of: key)
    }
    // A setter stores in some keys, each of which has set it. They are known before the write.
    var formers: [ObjectIdentifier: GivenRank] = [:]
    for key in keysOfValue { formers[ObjectIdentifier(key)] = transaction.givenRank(of: key) }
    try value.write?(object, address)
    for key in keysOfValue {
      let former = formers[ObjectIdentifier(key)]
      if transaction.givenRank(of: key).step > former?.step ?? 0 {
        transaction.setRank(change.rank, of: key, part: part, from: former)
      }
    }
    if let key, key.isComputed { transaction.setRank(change.rank, of: key, part: part) }
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
    let hasMoved = path.attachedKeys?.contains {
      $0.link.isIntermediate && transaction.pendingKey(at: $0.key)?.isChanged == true
    }
    // While another thread evaluates, the path may have moved.
    if hasMoved ?? true { path.evaluateWhenPossible() }
  }

  // MARK: Ranks

  /// Its last change in a transaction since the sides agreed; nil if it has not changed.
  func change(in transaction: Transaction) -> Change? {
    if agreedStep == transaction.stepCount { return nil }
    var last: Change?
    if let ownChange, ownChange.transaction == transaction.number, ownChange.step > agreedStep {
      last = ownChange.change
    }
    let part = part
    forEachKey(isOnlyOfValue: false) { key in
      let given = key._withUnsafeGuaranteedRef { transaction.givenRank(of: $0) }
      if given.step <= agreedStep { return }
      var change = Change(given, of: part)
      change.isAgreement = given.stepOfChange <= agreedStep
      // Another part of the value may have changed.
      if change.rank > 0, last.map({ $0 < change || $0 == change && $0.isAgreement }) ?? true {
        last = change
      }
    }
    return last
  }

  /// The observers in whose names all its changes in a transaction were made.
  func excluded(in transaction: Transaction) -> Set<ObserverIdentity> {
    if !transaction.hasNamedObservers { return [] }
    var excluded: Set<ObserverIdentity>?
    func add(_ others: Set<ObserverIdentity>?) {
      if let others { excluded = excluded?.intersection(others) ?? others }
    }
    if let ownChange, ownChange.transaction == transaction.number { add(ownChange.excluded) }
    forEachKey(isOnlyOfValue: false) {
      add($0._withUnsafeGuaranteedRef { transaction.pendingKey(at: $0)?.excluded })
    }
    return excluded ?? []
  }

  /// The histories that leave out all its changes in a transaction, and so what is written because of them (P58).
  func historiesToPause(in transaction: Transaction) -> PausedHistories? {
    let present = ThreadState.current.pausedHistories
    if !transaction.hasPausedHistories, present == nil { return nil }
    var histories: [any PausableHistory]?
    func add(_ others: [any PausableHistory]?) {
      guard let others else { return }
      histories = histories?.filter { known in others.contains { $0 === known } } ?? others
    }
    if let ownChange, ownChange.transaction == transaction.number { add(ownChange.pausedHistories) }
    forEachKey(isOnlyOfValue: false) {
      add($0._withUnsafeGuaranteedRef { transaction.pendingKey(at: $0)?.pausedHistories })
    }
    return histories.map { PausedHistories($0) } ?? present
  }

  /// Notes that it changes, as if its value had been set.
  func noteSet(in transaction: Transaction) {
    note(Change(at: transaction.makeStep()), in: transaction)
  }

  /// Whether a transaction knows a key that has its value, whose bindings then do not join it when that is written.
  func hasPreparedChange(in transaction: Transaction) -> Bool {
    hasValue { transaction.hasPreparedChange(of: $0) }
  }

  /// Notes that it is copied to the other side, as if its value had been set.
  ///
  /// Its keys were not, which other sides have their values from.
  func noteCopy(in transaction: Transaction) {
    let step = transaction.makeStep()
    let histories = ThreadState.current.pausedHistories
    if histories != nil { transaction.hasPausedHistories = true }
    ownChange = OwnChange(
      transaction: transaction.number, step: step, change: Change(at: step),
      excluded: transaction.excluded, pausedHistories: histories?.histories ?? [])
  }

  /// Notes that it has the value of a change of the other side, which was not written, or keeps its own.
  func agree(with change: Change, in transaction: Transaction) {
    var change = change
    change.isAgreement = true
    note(change, in: transaction)
  }

  /// Notes a change.
  ///
  /// The inputs of a computed key were not set, which other sides have their values from.
  private func note(_ change: Change, in transaction: Transaction) {
    let part = part
    guard let key = valueKey else {
      return ownChange = OwnChange(
        transaction: transaction.number, step: transaction.makeStep(), change: change)
    }
    let given = transaction.givenRank(of: key)
    if Change(given, of: part) < change {
      transaction.setRank(
        change.rank, lowestRank: change.lowestRank, of: key, part: part,
        isAgreement: change.isAgreement)
    }
  }

  /// The key that has the value, or of which that is a part; nil if there is none, or several.
  private var valueKey: ObservedKey? {
    guard let path else { return registration?.observedKey }
    let keys = path.lock.withLock { path.state.links }.filter { !$0.isIntermediate }
    return keys.count == 1 ? keys[0].observedKey : nil
  }

  /// The keys whose changes are changes of the value.
  private var keysOfValue: [ObservedKey] {
    var keys: [ObservedKey] = []
    forEachKey(isOnlyOfValue: true) { keys.append($0.takeUnretainedValue()) }
    return keys
  }

  /// The key path, where its value is not the whole value of a key at its end.
  private var part: String? {
    guard let path else { return nil }
    let isWhole = path.lock.withLock { path.state.links }.contains { $0.role != .input }
    return isWhole ? nil : text + "."
  }

  /// Whether something holds for one of the keys whose changes are changes of the value.
  func hasValue(ofKeyWhere matches: (ObservedKey) -> Bool) -> Bool {
    var isFound = false
    forEachKey(isOnlyOfValue: true) { key in
      isFound = isFound || key._withUnsafeGuaranteedRef(matches)
    }
    return isFound
  }

  // Unmanaged, since most sides have one key, which its token keeps (row: set of a bound property).
  /// The key that the side is, if it is one, and not computed.
  private var plainKey: Unmanaged<ObservedKey>? {
    guard path == nil, let key = registration?.unmanagedKey,
      !key._withUnsafeGuaranteedRef(\.isComputed)
    else { return nil }
    return key
  }

  /// Calls `body` with the keys whose changes are changes of the side.
  ///
  /// - `isOnlyOfValue`: Whether those of a key path that lead to its object are left out.
  private func forEachKey(isOnlyOfValue: Bool, _ body: (Unmanaged<ObservedKey>) -> Void) {
    if let plainKey { return body(plainKey) }
    var found: [ObjectIdentifier: ObservedKey] = [:]
    if let path {
      findKeys(readBy: path, isOnlyOfValue: isOnlyOfValue, &found)
    } else if let key = registration?.observedKey {
      find(key, isOnlyOfValue: false, &found)
    }
    for key in found.values { body(.passUnretained(key)) }
  }
}

/// Finds the keys whose changes are changes of a derived value, each once.
///
/// - `isOnlyOfValue`: Whether intermediate keys of a path are left out.
private func findKeys(
  readBy derived: DerivedValue, isOnlyOfValue: Bool,
  _ found: inout [ObjectIdentifier: ObservedKey]
) {
  for link in derived.lock.withLock({ derived.state.links })
  where !isOnlyOfValue || !link.isIntermediate {
    if let key = link.observedKey { find(key, isOnlyOfValue: isOnlyOfValue, &found) }
  }
}

/// Finds a key, and those that it is computed from.
private func find(
  _ key: ObservedKey, isOnlyOfValue: Bool, _ found: inout [ObjectIdentifier: ObservedKey]
) {
  guard found.updateValue(key, forKey: ObjectIdentifier(key)) == nil,
    let computedKey = key.computedKey
  else { return }
  findKeys(readBy: computedKey, isOnlyOfValue: isOnlyOfValue, &found)
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
        registration.binding.receive(isPrior: delivery.pointee.phase == .prior) {
          registration.side
        }
      })
    isOfBinding = true
  }

  // One that is made in a prior notification writes the change, too: its sides would not be equal (P63).
  override var comesWithObserver: Bool { false }
}
