internal import CKeyValueObserving
internal import Synchronization

/// A value that is computed from observed keys: a computed property, or a key path.
///
/// It finds its inputs by being evaluated while reads are recorded, or by following the plan of a key path,
/// and attaches a `Link` to each. The observers of every derived value receive each change once, with the
/// values of that change, whatever callbacks before them do (P11, P22, P24).
///
/// # Life of a derived change
///
/// A change of an input (`Delivery`) calls the link in each of its phases, and the link calls this. The first
/// link that is called begins a `DerivedChange`, which has the number of the input's change.
///
/// | Phase of the input's change | here | a computed key | a key path |
/// | --- | --- | --- | --- |
/// | fix observers | `fixObservers` | `fixObservers`: pins its own observers; if no priors are sent, in capture | |
/// | prior | `deliverPrior` | captures, and sends priors to its observers | captures, and calls its observer |
/// | capture | `capture` | `captureOldValue`: computes it | `captureOldValue`: reads it |
/// | renumber | `renumber` | `didRenumber` | |
/// | settle | `settle`, `make` | is evaluated; `didMake` | attaches along the path; takes `newValue` over |
/// | deliver | `deliver`, or later `deliverDeferred` | `notifyObservers` of the key | `notifyObservers`: one |
/// | abandon | `abandon` | `drop`: unpins; before that, to a pair, `valuesToHandOver` | the same |
///
/// The change of a computed key has a delivery of its own (`DerivedChange.delivery`), because paths observe
/// the key, too. It runs the same phases inside those of the input: capture in `didCapture`, settle in
/// `didMake`, deliver in `notifyObservers`, abandon in `drop`. So the same functions are on the
/// stack twice, once for each key.
///
/// A change of the last key of a path begins none of these: the values of that change are those of the path,
/// and its link passes them on (`leafChanged`). Exceptions are a change in a transaction, a last key that is
/// computed or behind a computed one (`LinkRole`), a change of a mutation block in which the path has received another
/// one (`beginChangeWithBlock`), and a change that has to wait for an older one of the path (`deferLeafChange`).
@usableFromInline
class DerivedValue: Registration {
  private let reference: WeakReference
  /// The number of the transaction in which it was made; 0 if there was none.
  let transactionAtInit: UInt64

  let lock = Lock()
  // Exclusive because the lock is held; checking it again would cost as much.
  /// Guarded by `lock`.
  @exclusivity(unchecked)
  final var state = DerivedValueState()
  private let readiness = Atomic<Bool>(false)
  /// Whether it has ever read a weak property.
  let hasWeakInput = Atomic<Bool>(false)
  /// How many changes wait for an older one of the same derived value to be delivered.
  let deferredCount = Atomic<Int>(0)

  init(of subject: borrowing AnyObject) {
    reference = WeakReference(copy subject)
    transactionAtInit =
      ThreadState.current.pointee.transaction == nil ? 0 : Transaction.current?.number ?? 0
    // It receives changes by its links.
    super.init(needs: []) { _, _ in }
  }

  /// The object from which the value is reached.
  ///
  /// It is not retained (P5).
  final var subject: AnyObject? { reference.target }

  // MARK: For subclasses

  /// The key or the keys by which diagnostics name it.
  var text: String { "" }
  /// The needs of a link for changes of a key before the last.
  var linkNeeds: ObserverNeeds { [.phases] }
  /// The needs of a link for changes of the key whose value is the derived value.
  var leafNeeds: ObserverNeeds { [] }
  /// Computes the value, recording reads if a recording is in progress.
  ///
  /// - `used`: A box that may be used again for it.
  func compute(_ subject: AnyObject, in used: consuming AnyValueBox?) -> AnyValueBox? { nil }
  /// Computes the value as it is, without attaching to anything.
  func currentValue(of subject: AnyObject, in used: consuming AnyValueBox? = nil) -> AnyValueBox? {
    Computation.run(of: self) { compute(subject, in: used.take()) }
  }
  /// Whether it is a computed key, which several threads may observe.
  ///
  /// The value of a key path has one observer, and each key that it reads has a role, which depends on its position.
  var isComputedKey: Bool { false }
  /// A key that has a role is about to be read.
  func willRead(_ observedKey: ObservedKey, in table: PropertyTable, at position: Int) {}
  /// Computes the value and attaches to what it is computed from, where it is not attached to that
  /// already.
  ///
  /// - `isValueUsed`: Whether the value is of use even if it is not kept.
  func computeAndAttach(
    to subject: AnyObject, _ links: inout MetLinks, in used: consuming AnyValueBox?,
    isValueUsed: Bool
  ) -> AnyValueBox? { nil }

  // In the order in which a change calls them.

  /// Fixes the observers that a change of the derived value is going to notify.
  func fixObservers(of change: DerivedChange, at link: Link) {}
  /// Whether an observer requests prior notifications.
  var requestsPriors: Bool { false }
  /// Whether an observer requests old values.
  var requestsOldValues: Bool { false }
  /// Sends prior notifications, but for some observers.
  func notifyPrior(
    of change: DerivedChange, at link: Link, in delivery: UnsafeMutablePointer<Delivery>,
    excluding excluded: Set<ObserverIdentity>
  ) {}
  /// Takes in what has changed in prior notifications.
  func takeInChangesOfPriors(_ change: DerivedChange) {}
  /// Captures the old value.
  func captureOldValue(of change: DerivedChange, at link: Link) {}
  /// The change has got its position among others.
  func didCapture(_ change: DerivedChange, for pair: Unmanaged<ManualPair>?) {}
  /// The change has got another number, because others were made inside.
  func didRenumber(_ change: DerivedChange) {}
  /// Takes in a further input that a transaction is about to change.
  func take(part link: Link, in change: DerivedChange) {}

  /// The values that a pair keeps to complete a change; nil if the change is a part of another one.
  func valuesToHandOver(
    of change: DerivedChange, to pair: Unmanaged<ManualPair>
  ) -> ManualPair.CapturedChange? {
    .init(old: lock.withLock { change.old }, observers: nil)
  }
  /// The value from before a pair whose second call makes a change in a transaction, if the derived value has taken no
  /// part in the first call.
  func valueBeforePair(
    completedBy delivery: UnsafeMutablePointer<Delivery>, at link: Link
  ) -> ManualPair.CapturedChange? { nil }
  /// The value after the change of an input, if it is known without evaluating.
  func newValue(at link: Link, _ number: UInt64) -> AnyValueBox? { nil }
  /// The change is made, and its new value known.
  func didMake(_ change: DerivedChange, at link: Link) {}
  /// It has been evaluated where an input may have changed before it was attached to that.
  func didCatchUp() {}
  /// Takes over the edit of a collection that is the value.
  func takeEdit(of delivery: UnsafeMutablePointer<Delivery>, _ link: Link) {}
  /// Notifies the observers.
  func notifyObservers(of change: DerivedChange) {}
  /// Ends a change that is not going to be delivered.
  func drop(_ change: DerivedChange) {}

  /// Passes on a change of the last key of a path, whose value is the derived value.
  func leafChanged(_ delivery: UnsafeMutablePointer<Delivery>, _ leaf: LeafValue) {}
  /// Takes note of a change of the last key of a path that waits for a running delivery of that key.
  func leafChangeWaits(_ delivery: UnsafeMutablePointer<Delivery>, _ leaf: LeafValue) {}
  /// Begins the change of a path with that of the mutation block, open on the thread, of its last key, before another
  /// change that is delivered first: the value from before the block is the old one of that, and not of the block's.
  func beginChangeWithBlock() {}
  /// Runs `body`, which delivers a change where no delivery may be running: further ones of the same path wait (P11).
  ///
  /// - `position`: The position of the change among what is handed to actors.
  func whileDelivering(at position: HandOver, _ body: () -> Void) { body() }
  /// The value from before a mutation in place that is under way, if it is known.
  func value(before mutation: InPlaceMutation) -> AnyValueBox? { nil }

  // MARK: Evaluating

  /// Evaluates, attaches to what was read and detaches from what was not read any more.
  ///
  /// - `isValueUsed`: Whether the value is of interest, and not the inputs alone (row: path of 2, register + end).
  @discardableResult
  final func evaluate(isValueUsed: Bool = true) -> AnyValueBox? {
    guard let subject else { return nil }
    switch lock.withLock({ state.beginEvaluation(on: ThreadState.identity) }) {
    case .yours(let start): return evaluate(subject, from: start, isValueUsed: isValueUsed)
    case .anothers:
      let value = isComputedKey && !isReady ? assist(subject) : currentValue(of: subject)
      let start = lock.withLock { state.endReading(on: ThreadState.identity) }
      return start.map { evaluate(subject, from: $0, isValueUsed: true) } ?? value
    // Between two iterations, a value that is let go of may have changed an input.
    case .nested: return Computation.isRunning(of: self) ? nil : currentValue(of: subject)
    }
  }

  /// Evaluates until no input has changed meanwhile.
  private func evaluate(
    _ subject: AnyObject, from start: consuming DerivedValueState.Start, isValueUsed: Bool
  ) -> AnyValueBox? {
    var rounds = 0
    var outdatedCount: UInt32 = 0
    while true {
      // Handed over, so that the links are not retained once more (row: set an input).
      var links = MetLinks(known: exchange(&start.links, with: []))
      let value = computeAndAttach(
        to: subject, &links, in: start.usedBox.take(), isValueUsed: isValueUsed)
      let dropped = links.takeRest()
      let isLast = hasEnded || rounds == LoopLimit.generationLimit
      let verdict = lock.withLock { state.finishEvaluation(links, since: start, isLast: isLast) }
      for link in dropped { link.detach() }
      switch verdict {
      case .isDone, .isGivenUp:
        if ThreadState.current.pointee.mutation_block != nil {
          joinMutationBlocks(isFirst: !isReady)
        }
        if keepsValue { keep(value, replacing: false) }
        readiness.store(true, ordering: .releasing)
        if hasEnded {
          detachLinks()
        } else if verdict == .isGivenUp {
          report(
            .nonConvergence(ofGetter: text, type: subjectType, after: LoopLimit.generationLimit))
        }
        return value
      case .isLeftToReaders:
        if hasEnded { detachLinks() }
        return value
      case .isOutdated:
        // Threads that change inputs without end do not keep this one from all other work.
        outdatedCount += 1
        if outdatedCount > 16 { kvo_wait(outdatedCount) }
      case .hasOutdatedItself: rounds += 1
      }
      for link in lock.withLock({ state.takeSurplus() }) { link.detach() }
      start = lock.withLock { state.start }
    }
  }

  /// The links, with the keys to which they are attached; nil while another thread evaluates, which may attach them to
  /// other keys.
  final var attachedKeys: [AttachedKey]? {
    lock.withLock {
      state.isEvaluatedElsewhere(than: ThreadState.identity)
        ? nil : state.links.compactMap(\.attachedKey)
    }
  }

  /// The keys to which the links were attached last.
  final var lastKeyIdentities: [ObservedKeyIdentity?] {
    lock.withLock { state.links.map(\.lastKeyIdentity) }
  }

  /// Whether it has found an input.
  final var isAttached: Bool { lock.withLock { !state.links.isEmpty } }

  /// Whether it is attached to its inputs.
  final var isReady: Bool { readiness.load(ordering: .acquiring) }

  /// Attaches to the inputs while another thread is evaluating for the first time.
  ///
  /// Getters that run there are not waited for, and observations registered here must miss no
  /// change (P1, P38).
  private func assist(_ subject: AnyObject) -> AnyValueBox? {
    var met = MetLinks()
    let value = computeAndAttach(to: subject, &met, in: nil, isValueUsed: true)
    let links = met.links
    let surplus = lock.withLock { state.assist(links) }
    for link in surplus ?? links { link.detach() }
    return surplus == nil ? evaluate() : value
  }

  override final func didEnd() {
    detachLinks()
    super.didEnd()
  }

  /// Detaches from everything.
  ///
  /// The links are what keeps a derived value alive.
  final func detachLinks() {
    let links = lock.withLock { state.endLinks() }
    // Looked at where they are: a loop over them would retain each.
    for index in links.indices {
      Unmanaged.passUnretained(links[index])._withUnsafeGuaranteedRef { $0.detach() }
    }
  }

  // MARK: Making changes

  /// Begins a change with that of an input: one that is not in use, or a new one.
  ///
  /// Returns nil where the object is gone from which the value is reached.
  final func beginChange(with delivery: UnsafeMutablePointer<Delivery>) -> DerivedChange? {
    guard let subject else { return nil }
    if ThreadState.current.pointee.mutation_block != nil { beginChangeWithBlock() }
    let change = madeChange()
    change.begin(with: delivery, of: subject, transactionAtInit: transactionAtInit)
    return change
  }

  /// A change that is not in use, or a new one.
  @inline(__always)
  final func madeChange() -> DerivedChange {
    lock.withLock { state.spareChange.take() } ?? DerivedChange()
  }

  /// Forgets a change that does not concern it any more.
  final func forget(_ delivery: UnsafeMutablePointer<Delivery>) {
    if let prepared = lock.withLock({ state.takePrepared(for: delivery) }) {
      drop(prepared)
    }
    if let change = change(of: delivery) { forget(change) }
  }

  /// Forgets a change that is not going to be made, or delivered.
  final func forget(_ change: DerivedChange) {
    lock.withLock { state.remove(change) }
    drop(change)
  }

  // MARK: Reporting

  /// Reports observers that keep changing the value (P18).
  final func reportNotConverging(because observers: [ObserverIdentity]) {
    KeyValueDiagnostics.report(
      .nonConvergence(type: subjectType, key: text, after: LoopLimit.generationLimit)
        .caused(by: observers))
  }

  private var subjectType: Any.Type { subject.map { type(of: $0) } ?? AnyObject.self }

  /// Reports what evaluating has met, unless it was met before: every change evaluates again.
  final func report(_ diagnostic: @autoclosure () -> KeyValueDiagnostic) {
    if !KeyValueDiagnostics.isEnabled { return }
    let diagnostic = ThreadState.pauseRecording(diagnostic)
    guard noteReport(of: diagnostic),
      // Evaluated by a path that has come to its object, it reports nothing for each object again.
      Computation.outer(of: self)?.noteReport(of: diagnostic) ?? true
    else { return }
    KeyValueDiagnostics.report(
      isComputedKey ? diagnostic : diagnostic.caused(by: [isReady ? identity : nil]))
  }

  private func noteReport(of diagnostic: KeyValueDiagnostic) -> Bool {
    lock.withLock { state.note(diagnostic) }
  }

  // MARK: Finding changes

  /// Whether a change with a number is still to be delivered at a link: the one of the last key of a path always is.
  ///
  /// A pair notifies of the links that were before it, but a computed key may take no part in it.
  final func isToDeliver(_ number: UInt64, at link: Registration) -> Bool {
    !link.needs.contains(.phases) || lock.withLock { state.change(number) != nil }
  }

  final func change(of delivery: UnsafeMutablePointer<Delivery>) -> DerivedChange? {
    lock.withLock { state.change(delivery.pointee.number) }
  }
}
