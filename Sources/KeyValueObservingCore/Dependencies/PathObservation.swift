internal import Synchronization

/// An observation of a value that is reached along a key path.
@usableFromInline
final class PathObservation: Expression {
  // Noncopyable, so that the closures are called without being retained (row: last key set).
  /// Operations of code that knows the type of the value.
  @usableFromInline
  struct Operations: ~Copyable {
    private let read: (AnyObject) -> AnyValueBox?
    private let keep: (UnsafeRawPointer) -> AnyValueBox
    private let tell: (AnyObject, ChangedValues, KeyValueChangeReason, Bool) -> Void

    @usableFromInline
    init(
      compute: @escaping (AnyObject) -> AnyValueBox?,
      box: @escaping (UnsafeRawPointer) -> AnyValueBox,
      hear: @escaping (AnyObject, ChangedValues, KeyValueChangeReason, Bool) -> Void
    ) {
      read = compute
      keep = box
      tell = hear
    }

    /// Reads the value.
    borrowing func compute(_ subject: AnyObject) -> AnyValueBox? { read(subject) }

    /// Keeps the value at an address.
    borrowing func box(_ address: UnsafeRawPointer) -> AnyValueBox { keep(address) }

    /// Calls the observer.
    borrowing func hear(
      _ subject: AnyObject, _ values: ChangedValues, _ reason: KeyValueChangeReason, isPrior: Bool
    ) {
      tell(subject, values, reason, isPrior)
    }
  }

  private let options: KeyValueObservation.Options
  private let operations: Operations
  private let aftermath: Aftermath?
  private let source: PathSource
  /// How the keys lie on the path, where it has to be evaluated.
  ///
  /// Used by the one thread that evaluates.
  private var route: (any PathRoute)?
  /// The retained `KnownPath`, or 0 until the path is known.
  private let pathWord: Atomic<UInt>

  init(
    of subject: AnyObject, along source: PathSource, options: KeyValueObservation.Options,
    operations: consuming Operations, aftermath: Aftermath?
  ) {
    self.options = options
    self.operations = operations
    self.source = source
    self.aftermath = aftermath
    pathWord = Atomic(Self.word(of: source.knownPath))
    super.init(of: subject)
    if options.contains(.old) { noteOldRequest() }
  }

  deinit {
    path?.release()
  }

  // MARK: Evaluating

  private var path: Unmanaged<KnownPath>? {
    UnsafeRawPointer(bitPattern: pathWord.load(ordering: .acquiring)).map(Unmanaged.fromOpaque)
  }

  private static func word(of path: KnownPath?) -> UInt {
    path.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
  }

  override var parts: Parts { source.parts }
  override var linkDemand: Demand { options.contains(.prior) ? [.phases, .prior] : [.phases] }
  override var leafDemand: Demand { Demand(options).union(.root) }

  override func compute(_ subject: AnyObject) -> AnyValueBox? { operations.compute(subject) }

  override func record(_ subject: AnyObject) -> AnyValueBox? {
    makeRoute()
    return route!.value(from: subject) ?? compute(subject)
  }

  override func read(_ subject: AnyObject) -> AnyValueBox? {
    guard let path else { return compute(subject) }
    return path._withUnsafeGuaranteedRef { $0.value(from: subject) }
  }

  override func evaluate(of subject: AnyObject, known: [Link]) -> Evaluation {
    guard let path else { return super.evaluate(of: subject, known: known) }
    var walk = PathWalk(of: self, along: path, known: known)
    let evaluation = Recording.pause {
      Computation.run(of: self) {
        walk.run(from: subject, for: options)
      }
    }
    return evaluation ?? super.evaluate(of: subject, known: walk.links)
  }

  override func placement(
    of slot: Slot, in table: PropertyTable, at position: Int
  ) -> Placement {
    makeRoute()
    return route!.placement(of: slot, in: table, at: position)
  }

  override func didRead(_ links: [Link], _ reading: Reading) -> Reading {
    makeRoute()
    let reading = route!.didRead(links, reading)
    if path == nil, let found = route!.knownPath {
      pathWord.store(Self.word(of: found), ordering: .releasing)
    }
    return reading
  }

  /// Its keys, as far as they are known.
  private var text: String { path?._withUnsafeGuaranteedRef { $0.text } ?? source.text }

  private func makeRoute() {
    if route == nil { route = source.makeRoute() }
  }

  // MARK: Delivering

  override func begin(_ change: ExpressionChange, at link: Link, _ subject: AnyObject) {
    change.reason = link.isBeforeLast ? .pathChanged : .valueChanged
    if options.contains(.old), !change.isZeroing {
      change.old = formerValue(of: subject) { readFormerValue(of: $0) }
    }
  }

  override func takeIn(_ link: Link, _ change: ExpressionChange) {
    if link.isBeforeLast { change.reason = .pathChanged }
  }

  override func settle(_ change: ExpressionChange, at link: Link) {
    // If an intermediate object was nil, only the keys read through it since show that it is one.
    // The keys of a string show it before.
    if link.isBeforeLast, case .typed = source { change.reason = .pathChanged }
  }

  // Not found by walking along the path once more, if that can be helped (row: top link replaced).
  /// The value of the path before a change.
  private func readFormerValue(of subject: AnyObject) -> AnyValueBox? {
    guard let path, path._withUnsafeGuaranteedRef({ $0.isLong }),
      let owner = lock.withLock({ state.knownLeafOwner })
    else { return currentValue(of: subject) }
    return path._withUnsafeGuaranteedRef { path in
      Recording.pause { Computation.run(of: self) { path.value(in: owner) } }
    }
  }

  override func value(before mutation: InPlaceMutation) -> AnyValueBox? {
    guard options.contains(.old), let link = lock.withLock({ state.links.first(where: \.isLeaf) }),
      let slot = link.slot, let old = slot.value(before: mutation)
    else { return nil }
    var value: AnyValueBox?
    withAddress(of: old) { old in
      link.leaf.withValues(old, nil) { old, _ in value = old.map { operations.box($0) } }
    }
    return value
  }

  override func deliverPrior(_ change: ExpressionChange) {
    guard options.contains(.prior), let subject = change.subject, !hasEnded else { return }
    withAddress(of: change.old) { old in
      operations.hear(subject, ChangedValues(old: old), change.reason, isPrior: true)
    }
  }

  override func deliver(_ change: ExpressionChange) {
    if keepsValue { keepValue(of: change) }
    // Taken out, so that they are not retained once more (row: top link replaced).
    let (old, new) = (change.old.take(), change.new.take())
    guard let subject = change.takeSubject(), !hasEnded else { return }
    withAddress(of: old) { old in
      withAddress(of: new) { new in
        operations.hear(
          subject,
          ChangedValues(old: old, new: new, edit: change.edit.map(Unmanaged.passUnretained)),
          change.reason, isPrior: false)
      }
    }
  }

  override func leafChanged(
    _ delivery: UnsafeMutablePointer<Delivery>, _ leaf: LeafValue
  ) {
    guard let subject else { return }
    let isPrior = delivery.pointee.phase == .prior
    if isPrior {
      guard options.contains(.prior) else { return }
    } else if delivery.pointee.outer != nil, isEarly(delivery) {
      return deferLeafChange(delivery, leaf, of: subject)
    }
    let edit = delivery.pointee.edit
    if !isPrior, keepsValue { keepLeaf(leaf, of: delivery, subject) }
    if let property = leaf.erasedProperty {
      hear(property, delivery, of: subject, isPrior: isPrior)
    } else {
      // Unmanaged, because what a closure captures is retained here (row: last key set).
      let (observation, root) = (Unmanaged.passUnretained(self), Unmanaged.passUnretained(subject))
      leaf.withValues(delivery.pointee.old, delivery.pointee.new) { old, new in
        let values = ChangedValues(old: old, new: new, edit: edit)
        observation._withUnsafeGuaranteedRef { observation in
          root._withUnsafeGuaranteedRef {
            observation.operations.hear($0, values, .valueChanged, isPrior: isPrior)
          }
        }
      }
      extendLifetime(subject)
    }
    if !isPrior { deliverDeferred() }
  }

  /// Erases the values of a property and hands them over, since a copy of each takes as long.
  private func hear(
    _ property: Unmanaged<KeyValueProperty>, _ delivery: UnsafeMutablePointer<Delivery>,
    of subject: AnyObject, isPrior: Bool
  ) {
    withUnsafeTemporaryAllocation(of: Any?.self, capacity: 2) { places in
      var values = ChangedValues(edit: delivery.pointee.edit, areGiven: true)
      if options.contains(.old), let old = delivery.pointee.old {
        places.initializeElement(
          at: 0, to: property._withUnsafeGuaranteedRef { $0.erase(old) })
        values.old = UnsafeRawPointer(places.baseAddress)
      }
      if options.contains(.new), let new = delivery.pointee.new {
        places.initializeElement(
          at: 1, to: property._withUnsafeGuaranteedRef { $0.erase(new) })
        values.new = UnsafeRawPointer(places.baseAddress.map { $0 + 1 })
      }
      operations.hear(subject, values, .valueChanged, isPrior: isPrior)
    }
  }

  /// Keeps the value of the last key that is about to be delivered.
  @inline(never)
  private func keepLeaf(
    _ leaf: LeafValue, of delivery: UnsafeMutablePointer<Delivery>, _ subject: AnyObject
  ) {
    guard delivery.pointee.edit == nil, let new = delivery.pointee.new else {
      exchangeKeptValue(for: currentValue(of: subject))
      return
    }
    leaf.withValues(nil, new) { _, new in
      exchangeKeptValue(for: new.map { operations.box($0) })
    }
  }

  private func deferLeafChange(
    _ delivery: UnsafeMutablePointer<Delivery>, _ leaf: LeafValue, of subject: AnyObject
  ) {
    let change = makeChange()
    change.begin(with: delivery, of: subject)
    leaf.withValues(delivery.pointee.old, delivery.pointee.new) { old, new in
      change.old = old.map { operations.box($0) }
      change.new = new.map { operations.box($0) }
    }
    change.edit = delivery.pointee.edit?.takeUnretainedValue()
    deferDelivery(of: change)
  }

  /// Reports a path that reads nothing observable: ignored properties, constants, or values of
  /// unobservable classes.
  ///
  /// A single constant is a key like others, and does not come here; nothing is read of an object
  /// that is being deallocated. An observer with reasons registers for `\.self` to be notified of
  /// the deallocation of the object.
  func reportIfNothingIsRead() {
    guard case .typed(let keyPath, let root) = source, !isAttached, subject != nil,
      !(aftermath?.notifiesOfDeletion ?? false && keyPath == identity(of: root))
    else { return }
    KeyValueDiagnostics.report(.unobservableKeyPath(keyPath, of: root).caused(by: [nil]))
  }

  private func identity<Root: KeyValueObservable>(of _: Root.Type) -> AnyKeyPath { \Root.self }

  override func reportNotSettling(because observers: [ObserverIdentity]) {
    KeyValueDiagnostics.report(
      .nonConvergence(type: subject.map { type(of: $0) } ?? AnyObject.self, key: text)
        .caused(by: observers))
  }

  // MARK: Ending

  override var outlivesSubject: Bool { aftermath?.mayBeLate ?? false }

  override func subjectDied() {
    guard !hasEnded else { return }
    markEnded()
    // Before anything is let go of: code that this runs may cancel the observer (P31).
    aftermath?.subjectDied()
    end()
  }

  override func didEnd() {
    super.didEnd()
    aftermath?.ended()
  }
}
