internal import Synchronization

/// The identity of a slot: its address, of which the slot may have been deallocated.
typealias SlotIdentity = UnsafeRawPointer

/// The attachment of an expression to one of the keys that it read.
final class Link: Attachment {
  let expression: Expression
  /// Whether a change of the key can be passed on without evaluating anything.
  let isLeaf: Bool
  // Not optional: an optional one would be retained for each change (row: last key set).
  /// How the value of the key is then the value of the expression.
  let leaf: LeafValue
  /// Whether the key leads to the object with the last key of a path.
  private let leadsOn = Atomic<Bool>(false)
  /// Whether it was omitted to ask for prior notifications, and is not any more.
  private let requestsPriors = Atomic<Bool>(false)
  /// Which key of a path that was walked it stands for; -1 if it was found by recording.
  ///
  /// Used by the one thread that evaluates.
  var place = -1
  /// Whether the key depends on others by declaration, which are then inputs as well.
  ///
  /// Used like `place`.
  var hasDependencies = false
  /// Whether the object with the key is notified of being observed.
  ///
  /// Used like `place`.
  var isAtSource = false
  /// Keeps the slot, which an expression may outlive the object of.
  ///
  /// Changed by the one thread that evaluates, while it is not attached.
  @exclusivity(unchecked)
  private var context: Unmanaged<Context>?
  /// The slot to which it was attached last, to be compared by other threads; 0 if there is none.
  private let lastSlot = Atomic<UInt>(0)

  init(_ expression: Expression, leaf: LeafValue?) {
    self.expression = expression
    isLeaf = leaf != nil
    self.leaf = leaf ?? .same
    if isLeaf {
      super.init(demand: expression.leafDemand, receive: Link.receiveLeafChange)
    } else {
      super.init(demand: expression.linkDemand, receive: Link.receiveChange)
    }
  }

  override var isRegistration: Bool { !expression.isReady }

  override var observation: Attachment { expression }

  /// Whether the key leads to the object with the last key of a path (P26).
  var isBeforeLast: Bool {
    get { leadsOn.load(ordering: .relaxed) }
    set { leadsOn.store(newValue, ordering: .relaxed) }
  }

  /// Whether the key is an input of the expression and nothing more.
  var playsNoPart: Bool { !isLeaf && rank == .observer && !isBeforeLast }

  // MARK: Attaching

  deinit {
    context?.release()
  }

  func attach(to slot: Slot, as rank: Rank) {
    keep(slot.unmanagedContext)
    unmanagedSlot = .passUnretained(slot)
    _ = slot.context.attach(self, to: slot, as: rank)
    noteSlot()
  }

  /// Attaches it to a key that the object is observed by, or comes to be.
  func attach(
    to context: Unmanaged<Context>, _ name: KeyName, slot: Unmanaged<Slot>?, isManual: Bool
  ) {
    keep(context)
    // Snapshots of another slot are unrelated to this one.
    firstRound = 0
    context._withUnsafeGuaranteedRef {
      $0.attach(self, toKey: name, slot: slot, isManual: isManual)
    }
    noteSlot()
  }

  /// Asks for no more than what its expression needs itself.
  ///
  /// Call it before the link is attached.
  func omitPriors() { requestedDemand.remove(.prior) }

  /// Asks for prior notifications of the key after all.
  ///
  /// Any thread may call this, once the link has been attached.
  func requestPriors() {
    if requestsPriors.exchange(true, ordering: .relaxed) { return }
    context?._withUnsafeGuaranteedRef { $0.request(demand, for: self) }
  }

  private func keep(_ context: Unmanaged<Context>) {
    let former = self.context
    self.context = context.retain()
    former?.release()
  }

  private func noteSlot() {
    lastSlot.store(UInt(bitPattern: unmanagedSlot?.toOpaque()), ordering: .relaxed)
  }

  /// The identity of the slot to which the link was attached last, readable on any thread.
  var lastSlotIdentity: SlotIdentity? {
    SlotIdentity(bitPattern: lastSlot.load(ordering: .relaxed))
  }

  func detach() { takeOut()?.end() }

  /// Detaches it.
  ///
  /// Returns what the slot no longer needs, to be ended when another link has been attached to it.
  func takeOut() -> IdleParts? {
    let idle = context?._withUnsafeGuaranteedRef { $0.takeOut(self) }
    expression.linkDetached(self)
    return idle
  }

  /// Whether it stands for a key of the object with a context.
  @inline(__always)
  func isAttached(to name: KeyName, of context: Unmanaged<Context>) -> Bool {
    isAttached(in: context) { $0 == name }
  }

  /// The same, asked in fewer instructions: false also where the name was another text in memory.
  @inline(__always)
  func isAttached(toIdentical name: KeyName, of context: Unmanaged<Context>) -> Bool {
    isAttached(in: context) { $0.isIdentical(to: name) }
  }

  @inline(__always)
  private func isAttached(
    in context: Unmanaged<Context>, where matches: (KeyName) -> Bool
  ) -> Bool {
    guard let slot = unmanagedSlot else { return false }
    return slot._withUnsafeGuaranteedRef {
      $0.unmanagedContext.toOpaque() == context.toOpaque() && matches($0.name)
    }
  }

  /// Whether it was detached while a delivery read the audience, which may call it still.
  var isDeparted: Bool { lastRound.load(ordering: .sequentiallyConsistent) != .max }

  // MARK: Receiving

  private static func receiveLeafChange(
    _ attachment: Attachment, _ delivery: UnsafeMutablePointer<Delivery>
  ) {
    let link = unsafeDowncast(attachment, to: Link.self)
    if link.expression.hasEnded { return link.skip(delivery) }
    switch delivery.pointee.phase {
    case .prior, .after:
      if !isDeallocating(delivery.pointee.subject) {
        link.expression.leafChanged(delivery, link.leaf)
      }
    case .will, .settle, .abandon, .hold, .resume: break
    }
  }

  private static func receiveChange(
    _ attachment: Attachment, _ delivery: UnsafeMutablePointer<Delivery>
  ) {
    let link = unsafeDowncast(attachment, to: Link.self)
    let expression = link.expression
    // Its links are detached when an observation ends, but a round that had begun has them still.
    if expression.hasEnded { return link.skip(delivery) }
    switch delivery.pointee.phase {
    // Changes that an object makes in its `deinit` are not read through any other object.
    case .will where isDeallocating(delivery.pointee.subject): break
    case .will: expression.inputWillChange(link, delivery)
    case .prior: expression.deliverPrior(link, delivery)
    case .settle: expression.inputDidChange(link, delivery)
    case .after: expression.turnCame(delivery)
    case .abandon: expression.abandon(delivery)
    case .hold: expression.hold(delivery, at: link)
    case .resume: expression.resume(delivery)
    }
  }

  override func forget(_ delivery: UnsafeMutablePointer<Delivery>) {
    if !isLeaf { expression.forget(delivery) }
  }

  override func skip(_ delivery: UnsafeMutablePointer<Delivery>) {
    switch delivery.pointee.phase {
    case .settle where !expression.hasEnded: expression.inputDidChange(self, delivery)
    // Deferred work would no longer find it.
    case .after, .abandon, .hold: expression.abandon(delivery)
    case .will, .prior, .settle, .resume: break
    }
  }
}
