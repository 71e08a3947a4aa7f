internal import Synchronization

extension KeyValueObservable {
  /// The context of the object's observers.
  var observationContext: Context { keyValueRegistrar.context }
}

/// The lock around what is known of one observed object: its slots.
///
/// Made when the first of its keys is observed, and shared by the object's registrar and by
/// everybody who is attached, so that ends need not find the object.
@usableFromInline
final class Context: @unchecked Sendable {  // everything mutable is atomic or guarded by `lock`
  let lock = Lock()
  private(set) var isDead = false
  // Beside `isDead`, because the whole object fills its block of memory to the last word.
  private let isIndexed = Atomic<Bool>(false)
  /// Whether a computed key was observed whose getter read nothing that can be observed.
  let mayHaveUnseenKeys = Atomic<Bool>(false)
  /// Whether the module `Observation` may track weak properties of the object: those are watched while they
  /// have no observers, too.
  let isTracked = Atomic<Bool>(false)
  /// The object, if it must be reached from elsewhere: from a weak property whose target is
  /// deallocated, or from a computed key.
  ///
  /// Other objects have none, because a weak reference slows down every retain.
  weak var subject: AnyObject?

  /// The newest slot, retained, or 0.
  ///
  /// Slots are never taken away, so they are found without a lock.
  private let newest = Atomic<UInt>(0)
  /// The slots of an object with many observed keys.
  ///
  /// Guarded by `lock`.
  private var slotsByName: [String: Unmanaged<Slot>] = [:]
  private var slotCount = 0
  /// The slot of observers that are only notified of the object's deallocation.
  private var extent: Slot?
  /// The object that another module associates with this one.
  ///
  /// Guarded by `lock`.
  var companion: AnyObject?

  deinit {
    // A loop, because releasing a chain of slots would recurse as deep as it is long.
    var candidate = newestSlot
    while let slot = candidate {
      candidate = slot.takeUnretainedValue().next
      slot.release()
    }
  }

  // MARK: Slots

  private var newestSlot: Unmanaged<Slot>? {
    @inline(__always) get {
      UnsafeRawPointer(bitPattern: newest.load(ordering: .acquiring))
        .map(Unmanaged<Slot>.fromOpaque)
    }
  }

  /// The slot of a key that has been observed.
  @inline(__always)
  func slot(named name: KeyName) -> Unmanaged<Slot>? {
    isIndexed.load(ordering: .acquiring) ? indexedSlot(named: name) : listedSlot(named: name)
  }

  @inline(never)
  private func indexedSlot(named name: KeyName) -> Unmanaged<Slot>? {
    lock.withLock { slotsByName[name.text] }
  }

  @inline(__always)
  private func listedSlot(named name: KeyName) -> Unmanaged<Slot>? {
    let newest = newestSlot
    return first(from: newest) { $0.isIdentical(to: name) } ?? equalSlot(from: newest, named: name)
  }

  /// The slot of a key, if it is found by where its name lies in memory.
  @inline(__always)
  func identicalSlot(named name: KeyName) -> Unmanaged<Slot>? {
    if isIndexed.load(ordering: .acquiring) { return nil }
    return first(from: newestSlot) { $0.isIdentical(to: name) }
  }

  // Out of line: it would take registers from those who have found the slot (row: set, 1 observer).
  @inline(never)
  private func equalSlot(from newest: Unmanaged<Slot>?, named name: KeyName) -> Unmanaged<Slot>? {
    first(from: newest) { $0 == name }
  }

  @inline(__always)
  private func first(
    from newest: Unmanaged<Slot>?, where matches: (KeyName) -> Bool
  ) -> Unmanaged<Slot>? {
    var candidate = newest
    while let slot = candidate {
      if slot._withUnsafeGuaranteedRef({ matches($0.name) }) { return slot }
      candidate = slot._withUnsafeGuaranteedRef { $0.next }
    }
    return nil
  }

  /// The observed keys of the object that depend on others.
  ///
  /// - Complexity: O(*n*) in the number of keys ever observed.
  var dependentKeys: [DependentKey] {
    var found: [DependentKey] = []
    lock.lock()
    defer { lock.unlock() }
    var candidate = newestSlot
    while let slot = candidate?.takeUnretainedValue() {
      if let key = slot.state.extras?.dependentKey { found.append(key) }
      candidate = slot.next
    }
    return found
  }

  /// The slot of a key, made if there is none.
  func makeSlot(named name: KeyName, isManual: Bool) -> Slot {
    if let slot = slot(named: name) { return slot.takeUnretainedValue() }
    lock.lock()
    defer { lock.unlock() }
    return makeSlotLocked(named: name, isManual: isManual)
  }

  func makeSlotLocked(named name: KeyName, isManual: Bool) -> Slot {
    let isIndexed = self.isIndexed.load(ordering: .relaxed)
    if let slot = isIndexed ? slotsByName[name.text] : listedSlot(named: name) {
      return slot.takeUnretainedValue()
    }
    let made = Slot(context: self, name: name, isManual: isManual, next: newestSlot)
    let kept = Unmanaged.passRetained(made)
    newest.store(UInt(bitPattern: kept.toOpaque()), ordering: .releasing)
    slotCount += 1
    if isIndexed { slotsByName[name.text] = kept }
    if slotCount == Context.listLimit { indexSlots() }
    return made
  }

  /// The slot of observers that are only notified of the object's deallocation.
  func makeExtent() -> Slot {
    lock.withLock {
      if let extent { return extent }
      let made = Slot(context: self, name: KeyName(""), isManual: true, next: nil)
      extent = made
      return made
    }
  }

  private func indexSlots() {
    forEachSlot { slotsByName[$0.name.text] = .passUnretained($0) }
    isIndexed.store(true, ordering: .releasing)
  }

  /// Up to so many observed keys are found by walking a list, which is faster than hashing.
  private static var listLimit: Int { 16 }

  /// Calls `body` with each slot, the newest first.
  private func forEachSlot(_ body: (Slot) -> Void) {
    var candidate = newestSlot
    while let slot = candidate?.takeUnretainedValue() {
      body(slot)
      candidate = slot.next
    }
  }

  // MARK: Attaching

  /// Attaches to a slot of this context.
  ///
  /// Returns false, and does nothing, if the object is gone.
  func attach(_ attachment: Attachment, to slot: Slot, as rank: Rank = .observer) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    return attachLocked(attachment, to: slot, as: rank)
  }

  /// Attaches the closure of a token to the slot of a key that notifies automatically and depends
  /// on no other.
  ///
  /// Returns the slot.
  func attach(
    _ closure: ErasedHandler, demanding demand: Demand, calledBy fanOut: FanOut,
    toKey name: KeyName, of token: KeyValueObservation
  ) -> Unmanaged<Slot> {
    let known = slot(named: name)
    lock.lock()
    let slot = known ?? .passUnretained(makeSlotLocked(named: name, isManual: false))
    slot._withUnsafeGuaranteedRef { slot in
      // A delivery on another thread reads what is there.
      if slot.fanOut == nil { slot.fanOut = fanOut }
      slot.state.attach(closure, demanding: demand, of: token)
      slot.isObserved.store(true, ordering: .relaxed)
    }
    lock.unlock()
    return slot
  }

  /// Attaches to the slot of a key, made unless it is known.
  func attach(
    _ attachment: Attachment, toKey name: KeyName, slot known: Unmanaged<Slot>?, isManual: Bool
  ) {
    lock.lock()
    let slot = known ?? .passUnretained(makeSlotLocked(named: name, isManual: isManual))
    attachment.unmanagedSlot = slot
    slot._withUnsafeGuaranteedRef { _ = attachLocked(attachment, to: $0, as: .observer) }
    lock.unlock()
  }

  /// Attaches to the slot of a key.
  ///
  /// If the key is computed by `dependentKey`, which is not attached to its inputs yet or lacks an
  /// old value, returns it, to be evaluated outside the lock.
  func attach(
    _ attachment: Attachment, toKey name: KeyName, isManual: Bool,
    dependentKey: ((Slot) -> DependentKey)?
  ) -> (slot: Slot, dependentKey: DependentKey?) {
    lock.lock()
    defer { lock.unlock() }
    let slot = makeSlotLocked(named: name, isManual: isManual)
    guard attachLocked(attachment, to: slot, as: .observer), let dependentKey else {
      return (slot, nil)
    }
    let existing = slot.state.extras?.dependentKey
    let key = existing ?? dependentKey(slot)
    if attachment.demand.contains(.old) { key.noteOldRequest() }
    if existing == nil { slot.state.setDependentKey(key) }
    return (slot, key.isReady && !key.lacksValue ? nil : key)
  }

  func attachLocked(_ attachment: Attachment, to slot: Slot, as rank: Rank) -> Bool {
    if isDead { return false }
    attachment.unmanagedSlot = .passUnretained(slot)
    attachment.rank = rank
    slot.state.attach(attachment)
    slot.isObserved.store(true, ordering: .relaxed)
    return true
  }

  /// Lets an attachment ask for more than it has asked for.
  func request(_ demand: Demand, for attachment: Attachment) {
    lock.withLock {
      if attachment.index >= 0, let slot = attachment.unmanagedSlot {
        slot._withUnsafeGuaranteedRef { $0.state.request(demand, for: attachment) }
      } else {
        attachment.requestedDemand = demand
      }
    }
  }

  // MARK: Detaching

  /// Takes an attachment out of its slot, if it is still in one.
  func detach(_ attachment: Attachment) { takeOut(attachment)?.end() }

  /// The same.
  ///
  /// Returns what the slot no longer needs, to be ended by the caller.
  func takeOut(_ attachment: Attachment) -> IdleParts? {
    lock.lock()
    defer { lock.unlock() }
    return detachLocked(attachment)
  }

  /// Takes an attachment out, and returns what the slot no longer needs, to be ended outside the
  /// lock.
  func detachLocked(_ attachment: Attachment) -> IdleParts? {
    guard let slot = attachment.unmanagedSlot, attachment.index >= 0 else { return nil }
    return slot._withUnsafeGuaranteedRef { slot in
      slot.state.detach(attachment)
      return idlePartsLocked(of: slot)
    }
  }

  /// Takes the closure of a token out, unless the object is gone.
  @inline(__always)
  func detachClosure(of token: KeyValueObservation, from slot: Unmanaged<Slot>) {
    lock.lock()
    guard token.place >= 0 else { return lock.unlock() }
    let (closure, idle) = slot._withUnsafeGuaranteedRef { slot in
      (slot.state.detachClosure(at: token.place), idlePartsLocked(of: slot))
    }
    token.lostPlace()
    lock.unlock()
    closure?.release()
    idle?.end()
  }

  @inline(__always)
  private func idlePartsLocked(of slot: Slot) -> IdleParts? {
    if slot.state.isObserved { return slot.state.takeIdleDependentKey() }
    slot.isObserved.store(false, ordering: .relaxed)
    if slot === extent || slot.state.extras == nil { return nil }
    return slot.state.takeIdleParts(isTracked: isTracked.load(ordering: .relaxed))
  }

  // MARK: Deallocation

  /// Notifies all attachments that the object was deallocated.
  ///
  /// The registrar calls this from its `deinit`, so no change of the object can be in delivery.
  ///
  /// - Complexity: O(*n*) in the number of attachments, and of the keys ever observed.
  func subjectDied() {
    // The newest slot is first in the list; the oldest observers are notified first.
    var newestFirst: [[Attached]] = []
    var idle: [IdleParts] = []
    lock.lock()
    isDead = true
    forEachSlot { slot in
      let attached = slot.state.detachAll()
      if !attached.isEmpty { newestFirst.append(attached) }
      slot.isObserved.store(false, ordering: .relaxed)
      if let parts = slot.state.takeIdleParts() { idle.append(parts) }
    }
    let watchers = extent?.state.detachAll() ?? []
    // It may keep tokens, which keep this.
    let companion = self.companion.take()
    lock.unlock()
    extendLifetime(companion)
    for parts in idle { parts.end() }
    // Reads by observers are no inputs of a getter that has released the object.
    Recording.pause {
      for attached in newestFirst.reversed() { attached.forEach(end) }
      watchers.forEach(end)
    }
  }

  private func end(_ attached: Attached) {
    switch attached {
    case .closure(let closure): closure.release()
    case .attachment(let attachment): tell(attachment)
    }
  }

  private func tell(_ attachment: Attachment) {
    // An observer that ended in between, perhaps in the callback of another, is not notified.
    let fromToken = lock.withLock {
      attachment.outlivesSubject
        ? nil : attachment.token?._withUnsafeGuaranteedRef { $0.subjectDiedLocked() }
    }
    if !attachment.hasEnded { attachment.subjectDied() }
    fromToken?.release()
  }

  /// Whether anybody is attached to a key of the object.
  var isObserved: Bool {
    lock.withLock {
      var isObserved = false
      forEachSlot { if $0.state.isObserved { isObserved = true } }
      return isObserved
    }
  }

  /// Traps where the state contradicts itself.
  ///
  /// Tests call it after every step.
  func checkInvariants() {
    lock.withLock {
      var found = 0
      forEachSlot { slot in
        slot.state.checkInvariants()
        checkInvariant(
          slot.isObserved.load(ordering: .relaxed) == slot.state.isObserved,
          "a set of an observed key would not look for observers")
        found += 1
      }
      extent?.state.checkInvariants()
      checkInvariant(found == slotCount, "\(slotCount) slots counted, \(found) found")
    }
  }
}
