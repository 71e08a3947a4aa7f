/// One change of a derived value, from before the change of its input until it is delivered; see
/// `DerivedValue`.
///
/// Its position among the changes of its derived value (number, thread, and progress) is guarded by
/// the lock of the derived value, and so is its old value until the change is made; the rest belongs
/// to its thread. A derived value reuses it for the next change.
final class DerivedChange: QueuedChange {
  /// How far a change has come.
  enum Stage: UInt8 {
    /// Its observers are fixed. Prior notifications may be being sent.
    case begun
    /// The old value was captured, if one is requested.
    case captured
    /// The input has changed.
    case made
    /// It waits until an older change has been delivered.
    case deferred
  }

  var stage = Stage.begun
  /// The number of the change of the input, which is its position in the order; one of its own if it is made at the end
  /// of a mutation block in which the derived value has begun to read the key.
  var number: UInt64 = 0
  /// The thread that delivers it.
  var thread = ThreadState.identity
  /// The traits of its delivery: `transaction`, and `withoutOldValue` also where the old value would be read from a
  /// property that is being mutated in place.
  @exclusivity(unchecked)
  var traits: Delivery.Traits = []
  var reason = KeyValueChangeReason.valueChanged
  var old: AnyValueBox?
  var new: AnyValueBox?
  /// The value that observers have behind the change, where that is another one than `new`: the whole collection after
  /// an edit, one that no observer requests, or that of the computed key after changes of itself which wait for this.
  var valueBehind: AnyValueBox?
  /// The mutation of a collection's elements.
  var edit: Edit?
  /// Whether it is delivered only when a mutation in place has ended.
  var awaitsMutation = false
  /// The number of the prior notifications of the input's change; 0 if it has sent none.
  private(set) var priorNumber: UInt16 = 0
  /// Whether it begins with a pair of manual notifications of the input, or is completed by one.
  private(set) var isOfPair = false
  /// The part that it has in a transaction, at whose end it is delivered; nil if there is none.
  private(set) var part: TransactionPart?
  /// The values that were captured before a pair of manual notifications, which completes the change (P19).
  var captured: ManualPair.CapturedChange?
  /// The last change that the thread had begun when the old value was captured, or the observers were fixed.
  var capturedAfter: UInt64 = 0
  /// The number of the last change of the thread that shows in the old value.
  ///
  /// If a later one is delivered before this change, the value after that becomes the old one.
  var lastChangeInOld: UInt64 = 0
  /// An old value in whose place the change has got another one.
  ///
  /// Until dependents have captured theirs, it is the value that was read, where the old one is that of an enclosing change.
  /// After that it is only kept to be released when the change is over.
  var replaced: AnyValueBox?
  /// Whether prior notifications were sent.
  var isPriorSent = false
  /// Set where it waits for an older change.
  var generation = 0
  /// The histories that leave it out, since they paused when it began (P58), set likewise.
  var pausedHistories: PausedHistories?
  /// Its position among what is handed to actors, set likewise, and where it waits for the end of a mutation in place.
  var handOver = HandOver.none
  private(set) var origin: ObserverIdentity?
  /// The delivery to the observers of a computed key, while there is one.
  var delivery: UnsafeMutablePointer<Delivery>?
  private var deliveryMemory: UnsafeMutablePointer<Delivery>?
  /// The object from which the value is reached, which is kept until the change is delivered.
  var subject: AnyObject?

  @exclusivity(unchecked)
  var usedBoxes = UsedBoxes()

  deinit {
    deliveryMemory?.deallocate()
  }

  /// Whether there is no old value.
  var isWithoutOldValue: Bool { traits.contains(.withoutOldValue) }

  /// The value that observers have when it has been delivered, and the number of the last change that shows in it; nil if
  /// no observer requests it.
  ///
  /// After a rollback it is the old value: only observers of prior notifications are notified (P47), and in a mutation
  /// block of another input the present value may be another.
  var result: (value: AnyValueBox, lastChange: UInt64)? {
    if let valueBehind { return (valueBehind, number) }
    if edit != nil { return nil }
    if isTakenBack, let old { return (old, lastChangeInOld) }
    return new.map { ($0, number) }
  }

  /// Whether it is delivered to observers of its prior notifications only (P47).
  var isTakenBack: Bool { part?.isTakenBack ?? false }

  /// Whether the input has changed.
  var isMade: Bool {
    @inline(__always) get { stage.rawValue >= Stage.made.rawValue }
  }

  /// Begins a change of the derived value with a change of its input.
  ///
  /// - `transactionAtInit`: The number of the transaction in which the derived value was made.
  @inline(__always)
  func begin(
    with delivery: UnsafeMutablePointer<Delivery>, of subject: consuming AnyObject,
    transactionAtInit: UInt64
  ) {
    begin(
      delivery.pointee.number, of: subject,
      traits: delivery.pointee.traits.intersection([.transaction, .withoutOldValue]),
      priorNumber: delivery.pointee.priorNumber, isOfPair: delivery.pointee.snapshot.isOfPair)
    if delivery.isOfTransaction {
      part = TransactionPart(begunWith: delivery, isFormer: transactionAtInit != number)
    }
    if ThreadState.current.delivery != nil {
      origin = ThreadState.current.delivery.outward.first { $0 != delivery }?.called
    }
  }

  /// Begins a change of the derived value; by default, one that is no part of a change of an input.
  @inline(__always)
  func begin(
    _ number: UInt64, of subject: consuming AnyObject, traits: Delivery.Traits = [],
    priorNumber: UInt16 = 0, isOfPair: Bool = false
  ) {
    self.number = number
    thread = ThreadState.identity
    self.traits = traits
    self.priorNumber = priorNumber
    self.isOfPair = isOfPair
    self.subject = subject
  }

  /// Takes in a change of another input.
  func takeIn(_ link: Link) { if link.isIntermediate { reason = .pathChanged } }

  /// Notes that a change of an input at the end of a transaction is a part of this one.
  ///
  /// - `keyChange`: The change of the input, if a getter computes that.
  /// - `isTakenBack`: Whether the input has the value that the observers know of.
  func takePart(
    of delivery: UnsafeMutablePointer<Delivery>, from keyChange: DerivedChange?,
    isTakenBack: Bool
  ) {
    guard let part else { return }
    let partOfKey = keyChange?.delivery == delivery ? keyChange?.part : nil
    let wasTakenBack = part.isTakenBack
    let isFirst = part.add(delivery, from: partOfKey, isTakenBack: isTakenBack)
    // The transaction may have taken back the change with which this one has begun.
    if isFirst || wasTakenBack && !part.isTakenBack { reason = .valueChanged }
    if !isTakenBack, part.hasIntermediate(delivery.pointee.observedKey) { reason = .pathChanged }
  }

  /// Reads a value of the object, which is not retained once more.
  func value(_ read: (AnyObject) -> AnyValueBox?) -> AnyValueBox? {
    subject.map(Unmanaged.passUnretained)?._withUnsafeGuaranteedRef(read)
  }

  /// Begins the delivery to the observers of a computed key.
  @inline(__always)
  func beginDelivery(at observedKey: Unmanaged<ObservedKey>, _ snapshot: ObserverSnapshot) {
    guard let subject = subject.map(Unmanaged.passUnretained) else { return }
    let memory = deliveryMemory ?? .allocate(capacity: 1)
    subject._withUnsafeGuaranteedRef {
      memory.initialize(to: Delivery(of: $0, at: observedKey, snapshot))
    }
    memory.pointee.traits = traits
    memory.pointee.number = number
    memory.pointee.priorNumber = priorNumber
    deliveryMemory = memory
    delivery = memory
  }

  /// Notes at the end of a transaction whether all inputs have been put back: one may be settled before another
  /// one that has not.
  func noteIfTakenBack() {
    guard let part else { return }
    if part.isTakenBack {
      delivery?.pointee.traits.insert(.takenBack)
    } else {
      delivery?.pointee.traits.remove(.takenBack)
    }
  }

  /// Lets go of what it holds, so that it can begin another time.
  func reset() {
    reason = .valueChanged
    stage = .begun
    awaitsMutation = false
    isPriorSent = false
    captured = nil
    old = nil
    new = nil
    // Few have these, and to assign them takes longer than to ask.
    if part != nil { part = nil }
    if replaced != nil { replaced = nil }
    if valueBehind != nil { valueBehind = nil }
    if edit != nil { edit = nil }
    origin = nil
    subject = nil
  }
}
