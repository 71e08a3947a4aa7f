internal import Synchronization

/// The registration of a derived value to one of the keys that it read.
final class Link: Registration, LinkRegistration {
  let derived: DerivedValue
  let role: LinkRole
  // Not optional: an optional one would be retained for each change (row: last key set).
  /// How the value of the key becomes the derived value.
  let leaf: LeafValue
  /// See `isIntermediate`.
  private let storedIsIntermediate = Atomic<Bool>(false)
  /// Whether prior notifications were requested that were left out when it was attached.
  private let requestsPriors = Atomic<Bool>(false)
  // These three are used by the one thread that evaluates.
  /// Which key of a path that was walked it stands for; -1 if it was found by recording.
  var stepIndex = -1
  /// Whether the key depends on others by declaration, which are then inputs as well.
  var hasDependencies = false
  /// Whether it cannot be attached to another key: the object is notified of being observed, or only the
  /// object has the property whose value is the derived value.
  var staysAtKey = false
  /// Keeps the observed key: a derived value may outlive the object.
  ///
  /// Changed by the one thread that evaluates, while it is not attached.
  @exclusivity(unchecked)
  private var context: Unmanaged<ObservationContext>?
  /// The observed key to which it was attached last, to be compared by other threads; 0 if there is none.
  private let lastKey = Atomic<UInt>(0)

  /// - `leaf`: How the value of the key becomes the derived value; nil if it is an input.
  init(_ derived: DerivedValue, _ role: LinkRole = .input, leaf: consuming LeafValue? = nil) {
    self.derived = derived
    self.role = role
    self.leaf = leaf ?? .same
    switch role {
    case .input: super.init(needs: derived.linkNeeds, receive: Link.receiveChange)
    case .value: super.init(needs: derived.leafNeeds, receive: Link.receiveLeafChange)
    case .valueInPhases, .computedValue:
      super.init(
        needs: derived.linkNeeds.union(derived.leafNeeds), receive: Link.receiveChange)
    }
  }

  override var comesWithObserver: Bool {
    // A path of a binding that is made in a prior notification takes part in the change (P63).
    if derived.isReady || derived.isOfBinding { return false }
    // A computed key that a path has come to is not registered now, though it is evaluated for the first time.
    return !derived.isComputedKey || !(Computation.outer(of: derived)?.isReady ?? false)
  }

  override var observation: Registration { derived }

  override var link: (any LinkRegistration)? { self }

  var computedKey: (any KeyComputing)? {
    derived.isComputedKey ? unsafeDowncast(derived, to: ComputedKey.self) : nil
  }

  /// Whether the key leads, directly or through others, to the object with the last key of a path (P26).
  var isIntermediate: Bool {
    get { storedIsIntermediate.load(ordering: .relaxed) }
    set { storedIsIntermediate.store(newValue, ordering: .relaxed) }
  }

  /// Whether the key is an input of the derived value and nothing more.
  var playsNoPart: Bool { role == .input && order == .observer && !isIntermediate }

  // MARK: Attaching

  // Out of line: in place it would be retained while its fields are released (row: path of 2, register + end).
  @inline(never)
  deinit {
    context?.release()
  }

  /// Attaches it to a key of an object.
  ///
  /// - `known`: The observed key, if there is one.
  func attach(
    to context: Unmanaged<ObservationContext>, _ name: KeyName, _ known: Unmanaged<ObservedKey>?,
    isManual: Bool, as order: NotificationOrder = .observer
  ) -> Unmanaged<ObservedKey> {
    let former = self.context
    self.context = context.retain()
    former?.release()
    // Snapshots of another observed key are unrelated to this one.
    firstSnapshot = 0
    let observedKey = context._withUnsafeGuaranteedRef {
      $0.attach(self, toKey: name, known, isManual: isManual, as: order)
    }
    lastKey.store(UInt(bitPattern: observedKey.toOpaque()), ordering: .relaxed)
    return observedKey
  }

  /// Asks for prior notifications of the key after all.
  ///
  /// Any thread may call this, once the link has been attached.
  func requestPriors() {
    if requestsPriors.exchange(true, ordering: .relaxed) { return }
    context?._withUnsafeGuaranteedRef { $0.request(needs, for: self) }
  }

  /// The identity of the observed key to which the link was attached last, readable on any thread.
  var lastKeyIdentity: ObservedKeyIdentity? {
    ObservedKeyIdentity(bitPattern: lastKey.load(ordering: .relaxed))
  }

  func detach() { (context?._withUnsafeGuaranteedRef { $0.takeOut(self) } ?? nil)?.end() }

  /// Detaches it, to be attached to another key.
  ///
  /// - `idle`: Gets what the key no longer needs, to be ended when it is attached to the other one.
  /// - `unlessInTurn`: Whether it stays if it matters when it was attached to its key.
  ///
  /// Returns false if it stays.
  @discardableResult
  func takeOut(_ idle: inout [IdleParts], unlessInTurn: Bool = false) -> Bool {
    guard let context else { return true }
    return context._withUnsafeGuaranteedRef { context in
      context.lock.lock()
      defer { context.lock.unlock() }
      if unlessInTurn,
        unmanagedKey?._withUnsafeGuaranteedRef({ $0.state.hasTurn(self) }) == true
      {
        return false
      }
      if let parts = context.takeOutLocked(self) { idle.append(parts) }
      return true
    }
  }

  /// The key to which it is attached, with what keeps that.
  ///
  /// Call it with the lock of the derived value held, while no other thread evaluates.
  var attachedKey: AttachedKey? {
    guard let key = observedKey, let context = context?.takeUnretainedValue() else { return nil }
    return AttachedKey(link: self, key: key, context: context)
  }

  /// The name of the key to which it is attached, if that is one of the object with a context.
  @inline(__always)
  func keyName(in context: Unmanaged<ObservationContext>) -> KeyName? {
    if self.context?.toOpaque() != context.toOpaque() { return nil }
    return unmanagedKey?._withUnsafeGuaranteedRef { $0.name }
  }

  var root: AnyObject? { derived.subject }

  var isReplaced: Bool {
    derived.lock.withLock {
      derived.state.links.contains { $0 !== self && $0.lastKeyIdentity == lastKeyIdentity }
    }
  }

  func catchUp() {
    // The value of a last key is read for the case alone that an object before it is deallocated.
    if role == .value, !derived.keepsValue { return }
    if derived.evaluateWhenPossible() { derived.didCatchUp() }
  }

  func followRestoredValue(inTransaction number: UInt64) {
    // Otherwise it is still attached to what was read before the transaction.
    if derived.wasEvaluated(inTransaction: number) { catchUp() }
  }

  override func changeMissed() {
    if role != .input { derived.changeMissed() }
  }

  func checkInvariants() {
    derived.lock.withLock { derived.state.checkInvariants(of: derived) }
  }

  /// Whether it was detached while a delivery read the observer list, which may call it still.
  var isDetached: Bool { lastSnapshot.load(ordering: .acquiring) != .max }

  // MARK: Receiving

  @inline(__always)
  private static func receiveLeafChange(
    _ registration: Registration, _ delivery: UnsafeMutablePointer<Delivery>
  ) {
    let link = unsafeDowncast(registration, to: Link.self)
    if link.derived.hasEnded { return link.skip(delivery) }
    switch delivery.pointee.phase {
    // A transaction may change other keys of the path as well, so the path has a change of its own. So it may have for a
    // mutation block, in which it has received another one.
    case _ where delivery.isOfTransaction, _ where link.hasChange(of: delivery):
      receiveChange(registration, delivery)
    case .prior, .deliver:
      if !isDeallocating(delivery.pointee.subject) {
        link.derived.leafChanged(delivery, link.leaf)
      }
    case .wait: link.derived.leafChangeWaits(delivery, link.leaf)
    case .fixObservers, .capture, .renumber, .settle, .abandon: break
    }
  }

  @inline(__always)
  private static func receiveChange(
    _ registration: Registration, _ delivery: UnsafeMutablePointer<Delivery>
  ) {
    let link = unsafeDowncast(registration, to: Link.self)
    let derived = link.derived
    // Its links are detached when an observation ends, but a snapshot that had begun has them still.
    if derived.hasEnded { return link.skip(delivery) }
    let phase = delivery.pointee.phase
    // Changes that an object makes in its `deinit` are not read through any other object.
    if phase == .fixObservers || phase == .prior || phase == .capture,
      isDeallocating(delivery.pointee.subject)
    {
      return
    }
    switch phase {
    case .fixObservers: derived.fixObservers(link, delivery)
    case .capture: derived.capture(link, delivery)
    case .prior: derived.deliverPrior(link, delivery)
    case .renumber: derived.renumber(delivery)
    case .settle: derived.settle(link, delivery)
    case .wait: break
    case .deliver:
      if delivery.isObserversOnly, !link.isNotifiedAmongObservers(of: delivery) { return }
      if delivery.pointee.edit != nil { derived.takeEdit(of: delivery, link) }
      derived.deliver(delivery)
    case .abandon: derived.abandon(delivery)
    }
  }

  /// Whether a path that ends in the key has a change of its own for the one of a mutation block.
  @inline(__always)
  private func hasChange(of delivery: UnsafeMutablePointer<Delivery>) -> Bool {
    delivery.pointee.traits.contains(.receivedInPhases) && derived.change(of: delivery) != nil
  }

  /// Whether a path is notified among the observers of its last key, at the end of a transaction: no
  /// intermediate object has been replaced.
  private func isNotifiedAmongObservers(of delivery: UnsafeMutablePointer<Delivery>) -> Bool {
    (role == .value || role == .valueInPhases)
      && derived.change(of: delivery)?.reason == .valueChanged
  }

  func forget(_ delivery: UnsafeMutablePointer<Delivery>) {
    if role == .value, !hasChange(of: delivery) { return }
    // If it has been made already, another link of a path has led it away from the key, and delivers it.
    if derived.change(of: delivery)?.isMade ?? false { return }
    // The link that has replaced this one takes the change over, with the observers that were fixed (P13).
    if isReplaced || derived.leaveToComputedKey(delivery, besides: self) { return }
    derived.forget(delivery)
  }

  override func skip(_ delivery: UnsafeMutablePointer<Delivery>) {
    switch delivery.pointee.phase {
    case .settle where !derived.hasEnded: derived.settle(self, delivery)
    // Deferred work would no longer find it.
    case .deliver:
      derived.abandon(delivery)
      derived.dropDeferred()
    case .abandon: derived.abandon(delivery)
    // A prior notification may have ended it.
    case .capture: derived.forget(delivery)
    case .renumber where !derived.hasEnded: derived.renumber(delivery)
    case .fixObservers, .prior, .renumber, .settle, .wait: break
    }
  }
}

extension Link {
  /// The change of the computed key to which it is attached, if the value of that is the derived value: the
  /// one with a number, or the one of which the thread sends the prior notifications with a number.
  func computedChange(_ number: UInt64, _ priorNumber: UInt16 = 0) -> DerivedChange? {
    guard role == .computedValue, let key = observedKey?.computedKey else { return nil }
    if key.hasWeakInput.load(ordering: .relaxed) { derived.noteWeakInput() }
    return key.lock.withLock {
      key.state.change(number)
        ?? key.state.prepared.last {
          priorNumber != 0 && $0.priorNumber == priorNumber && $0.thread == ThreadState.identity
        }
    }
  }
}

/// A link and the key to which it is attached.
struct AttachedKey {
  let link: Link
  let key: ObservedKey
  /// Keeps the key.
  let context: ObservationContext

  /// Whether the key matches, or is a computed one that reads a key which does.
  func reads(_ matches: (ObservedKeyIdentity?) -> Bool) -> Bool {
    matches(key.identity)
      || key.computedKey?.lastKeyIdentities.contains(where: matches) ?? false
  }
}

/// The role of a key in a derived value.
enum LinkRole {
  /// It is an input.
  case input
  /// Its value becomes the derived value, and nothing has to be evaluated.
  case value
  /// The same, behind a key that a getter computes, which may read it as well: a change of it may be a change of both,
  /// so that it is received in all phases.
  case valueInPhases
  /// The same, but a getter computes it: a change of one of its inputs may be a change of other keys on the
  /// path as well, so that it is received in all phases.
  case computedValue
}
