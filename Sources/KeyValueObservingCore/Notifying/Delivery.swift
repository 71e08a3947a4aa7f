/// One change of one key on its way to its observers.
///
/// # Life of a change
///
/// 1. **Begin** (`ObservationContext.begin`). With the lock of the object held, the observers of the key
///    are fixed in an `ObserverSnapshot`, which keeps the entries of the observer list where they are.
///    Without observers the change is only made.
/// 2. **Prior** (`sendPriors`). Computed keys fix their observers, too. Then observers that request it are
///    notified, and may do anything. Dependents capture old values for their own prior observers. If
///    something was changed, the snapshot takes in paths that lead to the key now, and old values are read
///    again.
/// 3. **Capture** (`capture`). The change gets its number, which is its position among the changes of each
///    dependent, unless its observers need no order (`ObserverNeeds.isSimple`). Dependents compute and keep
///    their old values. No observer is called between this and the change itself.
/// 4. **Make.** The body stores the value: that of a setter, a mutation in place, a mutation block. A manual
///    pair and a report of a source have none, since they come after it.
/// 5. **Settle** (`settle`). Before any callback, dependents are evaluated again and attach to what they
///    read now, so all callbacks see one state (P11, P24). So are those that were attached meanwhile
///    (`catchUp`), which are not notified.
/// 6. **Deliver** (`deliver`, `deliverInTurn`). If a delivery of the key runs on this thread already, the
///    change waits for it (`WaitingChanges`). Otherwise the observers are called in the order of
///    registration, then the dependents, each of which delivers its own change to its own observers.
///    Changes that were made meanwhile follow, as many as `LoopLimit` admits.
/// 7. **End** (`end`). The snapshot is given up, and what ended meanwhile is released.
///
/// No lock is held where code of a user runs: in 2, 4, 6, in getters that 2, 3 and 5 evaluate, and where 7
/// releases. Phases 2, 3, 5 and 6 call each registration in one function, `call(_:_:_:)`, with the exception
/// of closures that are all alike: `complete` calls those itself, unless the thread has suspended observers
/// or records reads. A tracer belongs into that function, where a registration is called or passed over, and
/// would switch `complete` off as suspended observers do.
///
/// In a transaction `PendingDelivery` runs the phases: 1 to 3 before the first change of a key, 5 to 7 at the
/// transaction's end, for all its keys in turn.
///
/// It lives on the stack of the function that makes the change; that of a mutation block is in memory of its
/// own, that of a computed key in its `DerivedChange`, and a mutation in place copies it to its end. The thread
/// knows the ones that deliver (`ThreadState`), so that a change inside a callback finds out what is still to
/// be delivered.
@usableFromInline
struct Delivery {
  @usableFromInline
  enum Phase {
    /// Before prior notifications are sent: computed keys fix their observers.
    case announce
    /// Before the change, for observers that request prior notifications.
    case prior
    /// Right before the change: dependents capture their old values.
    case capture
    /// Right after the change: dependents are evaluated.
    case settle
    /// After the change: the observers are called.
    case deliver
    /// The change is not going to be delivered. After the first call of a manual pair, dependents hand over
    /// to the pair what they have captured.
    case abandon
  }

  // Ordered so that there is no gap between the fields: Swift copies gaps, which stalls a set.
  @usableFromInline
  let observedKey: Unmanaged<ObservedKey>
  @usableFromInline
  let subject: Unmanaged<AnyObject>
  /// The old and the new value, of the property's own type, for as long as the phase takes.
  @usableFromInline
  var old: UnsafeRawPointer?
  @usableFromInline
  var new: UnsafeRawPointer?
  /// The mutation of a collection's elements, retained by the function that makes the change.
  @usableFromInline
  var edit: Unmanaged<Edit>?
  /// Identifies the change and orders it among others, if that has to be remembered.
  @usableFromInline
  var change: UInt64 = 0
  /// The pair that keeps what is captured, or that has kept it; not retained.
  var pair: Unmanaged<ManualPair>?
  /// The delivery around this one on the same thread.
  @usableFromInline
  var outer: UnsafeMutablePointer<Delivery>?
  /// The changes of the same observed key that wait until this one has reached everyone.
  @usableFromInline
  var waiting: Unmanaged<WaitingChanges>?
  @usableFromInline
  var snapshot: ObserverSnapshot
  @usableFromInline
  var phase = Phase.deliver
  /// Whether the property was zeroed: it has no old value, and there is no time before (P27).
  @usableFromInline
  var isZeroing = false
  /// The number of its prior notifications, by which dependents recognize the change that they have
  /// announced; 0 if it has sent none.
  @usableFromInline
  var announcement: UInt16 = 0
  /// The observer being called: an index among the observers, or after them among the dependents.
  @usableFromInline
  var cursor: Int32 = -1
  /// Up to where observers that are alike may be called in one run; 0 where each is looked at first.
  @usableFromInline
  var runEnd: Int32 = 0

  @inline(__always)
  init(of subject: AnyObject, at observedKey: Unmanaged<ObservedKey>, _ snapshot: ObserverSnapshot)
  {
    self.subject = .passUnretained(subject)
    self.observedKey = observedKey
    self.snapshot = snapshot
  }

  /// Gives the change its position in the order of changes, for those who may have to defer it.
  mutating func number() {
    if change == 0 { change = ThreadState.makeChangeNumber() }
  }
}

extension UnsafeMutablePointer<Delivery> {
  /// Whether the change is delivered at the end of a transaction.
  var isOfTransaction: Bool { pointee.snapshot.needs.contains(.transaction) }

  /// Whether only observers of prior notifications are notified, since a transaction has put the value back.
  var isTakenBack: Bool { pointee.snapshot.needs.contains(.takenBack) }

  /// Whether computed keys and paths are notified later.
  var isBeforeDependents: Bool { pointee.snapshot.needs.contains(.observersOnly) }
}
