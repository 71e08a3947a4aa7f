public import Synchronization

extension KeyValueObservable {
  /// What is known of those who observe the object.
  var observationContext: Context { keyValueRegistrar.context }
}

/// The lock around what is known of one observed object: its slots.
///
/// Made when the first of its keys is observed, and shared by the object's registrar and by
/// everybody who is attached, so that ends need not find the object.
@usableFromInline
final class Context: @unchecked Sendable {  // everything mutable is guarded by `lock`
  let lock = Lock()
  /// A bit for each observed key, so that a set of another key looks no further.
  @usableFromInline
  let observedKeys = Atomic<UInt64>(0)
  private(set) var isDead = false
  /// The object, where somebody must reach it from elsewhere: a weak property that is zeroed, a
  /// key that is computed. Not kept for others, since a weak reference slows every retain.
  weak var subject: AnyObject?

  private var first: Unmanaged<Slot>?
  private var slotCount = 0
  private var slotsByName: [String: Unmanaged<Slot>] = [:]
  /// Those who only want to know when the object dies.
  private var extent: Slot?

  deinit {
    // A loop, because releasing a chain of slots would recurse as deep as it is long.
    while let slot = first {
      first = slot.takeUnretainedValue().next
      slot.release()
    }
  }

  // MARK: Slots

  /// The slot of a key that has been observed. Call with the lock held.
  func slot(named name: KeyName) -> Unmanaged<Slot>? {
    if slotCount > Context.listLimit {
      return slotsByName[name.text]
    }
    var candidate = first
    while let slot = candidate {
      if slot._withUnsafeGuaranteedRef({ $0.name == name }) { return slot }
      candidate = slot._withUnsafeGuaranteedRef { $0.next }
    }
    return nil
  }

  /// The slot of a key, made if there is none.
  func makeSlot(named name: KeyName, isManual: Bool) -> Slot {
    lock.lock()
    defer { lock.unlock() }
    return makeSlotLocked(named: name, isManual: isManual)
  }

  func makeSlotLocked(named name: KeyName, isManual: Bool) -> Slot {
    if let slot = slot(named: name) { return slot.takeUnretainedValue() }
    let made = Slot(context: self, name: name, isManual: isManual)
    made.next = first
    let kept = Unmanaged.passRetained(made)
    first = kept
    slotCount += 1
    if slotCount > Context.listLimit {
      if slotsByName.isEmpty { indexSlots() } else { slotsByName[name.text] = kept }
    }
    return made
  }

  /// The slot of those who only want to know when the object dies.
  func makeExtent() -> Slot {
    lock.withLock {
      if let extent { return extent }
      let made = Slot(context: self, name: KeyName(""), isManual: true)
      extent = made
      return made
    }
  }

  private func indexSlots() {
    var candidate = first
    while let slot = candidate {
      slotsByName[slot.takeUnretainedValue().name.text] = slot
      candidate = slot.takeUnretainedValue().next
    }
  }

  /// Up to so many observed keys are found by walking a list, which is faster than hashing.
  private static var listLimit: Int { 16 }

  // MARK: Attaching

  /// Attaches to a slot of this context. Returns false, and does nothing, if the object is gone.
  func attach(_ attachment: Attachment, to slot: Slot, as rank: Rank = .observer) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    return attachLocked(attachment, to: slot, as: rank)
  }

  /// Attaches to the slot of a key that notifies automatically and depends on no other.
  func attach(_ attachment: Attachment, toKey name: KeyName) {
    lock.lock()
    let slot =
      slot(named: name)
      ?? .passUnretained(makeSlotLocked(named: name, isManual: false))
    slot._withUnsafeGuaranteedRef { _ = attachLocked(attachment, to: $0, as: .observer) }
    lock.unlock()
  }

  /// Attaches to the slot of a key that need not be observed yet.
  func attach(_ attachment: Attachment, toKey name: KeyName, isManual: Bool) {
    lock.lock()
    let slot =
      slot(named: name) ?? .passUnretained(makeSlotLocked(named: name, isManual: isManual))
    attachment.unmanagedSlot = slot
    slot._withUnsafeGuaranteedRef { _ = attachLocked(attachment, to: $0, as: .observer) }
    lock.unlock()
  }

  /// Attaches to the slot of a key. If the key is computed by `dependentKey`, which is not attached
  /// to its inputs yet, returns it, to be evaluated outside the lock.
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
    if let existing = slot.state.extras?.dependentKey {
      return (slot, existing.isReady ? nil : existing)
    }
    let made = dependentKey(slot)
    slot.state.setDependentKey(made)
    return (slot, made)
  }

  func attachLocked(_ attachment: Attachment, to slot: Slot, as rank: Rank) -> Bool {
    if isDead { return false }
    attachment.unmanagedSlot = .passUnretained(slot)
    attachment.rank = rank
    slot.state.attach(attachment)
    let bits = observedKeys.load(ordering: .relaxed)
    observedKeys.store(bits | slot.name.bit, ordering: .relaxed)
    return true
  }

  /// Takes an attachment out of its slot, if it is still in one.
  func detach(_ attachment: Attachment) {
    lock.lock()
    let idle = detachLocked(attachment)
    lock.unlock()
    idle?.end()
  }

  /// Takes an attachment out, and returns what the slot no longer needs, to be ended outside the
  /// lock.
  func detachLocked(_ attachment: Attachment) -> IdleParts? {
    guard let slot = attachment.unmanagedSlot, attachment.index >= 0 else { return nil }
    return slot._withUnsafeGuaranteedRef { slot in
      slot.state.detach(attachment)
      if slot.state.isObserved || slot === extent { return nil }
      markObservedKeys()
      return slot.state.extras?.takeIdleParts()
    }
  }

  private func markObservedKeys() {
    // With so many slots the word is full anyway, and walking them would make ends linear.
    if slotCount > Context.listLimit { return }
    var bits: UInt64 = 0
    var candidate = first
    while let slot = candidate {
      slot._withUnsafeGuaranteedRef { slot in
        if slot.state.isObserved { bits |= slot.name.bit }
        candidate = slot.next
      }
    }
    observedKeys.store(bits, ordering: .relaxed)
  }

  // MARK: Death

  /// Tells everybody who is attached that the object is gone. Its registrar calls this from its
  /// `deinit`, so nobody can be delivering a change of it.
  func subjectDied() {
    var attachments: [Attachment] = []
    var idle: [IdleParts] = []
    lock.lock()
    isDead = true
    var candidate = first
    while let slot = candidate?.takeUnretainedValue() {
      // The newest slot is first in the list; the oldest observers are told first.
      attachments = slot.state.detachAll() + attachments
      if let parts = slot.state.extras?.takeIdleParts() { idle.append(parts) }
      candidate = slot.next
    }
    if let extent { attachments += extent.state.detachAll() }
    observedKeys.store(0, ordering: .relaxed)
    lock.unlock()
    for parts in idle { parts.end() }
    for attachment in attachments {
      // One that ended meanwhile, perhaps in the callback of another, is not told any more.
      let fromToken = lock.withLock {
        attachment.outlivesSubject ? nil : attachment.token?.subjectDiedLocked()
      }
      if !attachment.hasEnded { attachment.subjectDied() }
      fromToken?.release()
    }
  }

  /// Whether anybody is attached to a key of the object.
  var isObserved: Bool {
    lock.withLock {
      var candidate = first
      while let slot = candidate?.takeUnretainedValue() {
        if slot.state.isObserved { return true }
        candidate = slot.next
      }
      return false
    }
  }

  /// Traps where the state contradicts itself. Tests call it after every step.
  func checkInvariants() {
    lock.withLock {
      var bits: UInt64 = 0
      var found = 0
      var candidate = first
      while let slot = candidate?.takeUnretainedValue() {
        slot.state.checkInvariants()
        if slot.state.isObserved { bits |= slot.name.bit }
        found += 1
        candidate = slot.next
      }
      extent?.state.checkInvariants()
      precondition(found == slotCount, "\(slotCount) slots counted, \(found) found")
      let marked = observedKeys.load(ordering: .relaxed)
      precondition(marked & bits == bits, "a set of an observed key would not look for observers")
    }
  }
}
