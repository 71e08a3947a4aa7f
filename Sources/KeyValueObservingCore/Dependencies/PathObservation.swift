/// An observation of a value that is reached along a key path.
@usableFromInline
final class PathObservation: Expression {
  /// What only code that knows the type of the value can do.
  @usableFromInline
  struct Operations {
    /// Reads the value.
    let compute: (AnyObject) -> AnyValueBox?
    /// Keeps the value at an address.
    let box: (UnsafeRawPointer) -> AnyValueBox
    /// Calls the observer.
    let hear: (AnyObject, ChangedValues, KeyValueChangeReason, _ isPrior: Bool) -> Void

    @usableFromInline
    init(
      compute: @escaping (AnyObject) -> AnyValueBox?,
      box: @escaping (UnsafeRawPointer) -> AnyValueBox,
      hear: @escaping (AnyObject, ChangedValues, KeyValueChangeReason, Bool) -> Void
    ) {
      self.compute = compute
      self.box = box
      self.hear = hear
    }
  }

  private let options: KeyValueObservation.Options
  private let operations: Operations
  private let aftermath: Aftermath?
  /// Used by the one thread that evaluates.
  private var route: any PathRoute
  private let text: () -> String

  init(
    of subject: AnyObject, options: KeyValueObservation.Options, route: any PathRoute,
    text: @escaping () -> String, operations: Operations, aftermath: Aftermath?
  ) {
    self.options = options
    self.operations = operations
    self.route = route
    self.text = text
    self.aftermath = aftermath
    super.init(of: subject)
  }

  override var linkDemand: Demand { options.contains(.prior) ? [.phases, .prior] : [.phases] }
  override var leafDemand: Demand { Demand(options).union(.root) }

  override func compute(_ subject: AnyObject) -> AnyValueBox? { operations.compute(subject) }

  override func placement(of slot: Slot, at position: Int) -> Placement {
    route.placement(of: slot, at: position)
  }

  override func didRead(_ recording: Recording, from subject: AnyObject) -> Reading {
    route.didRead(recording)
  }

  // MARK: Delivering

  override func begin(_ change: ExpressionChange, at link: Link, _ subject: AnyObject) {
    change.reason = reason(of: link)
    if options.contains(.old), !change.isZeroing { change.old = currentValue() }
  }

  override func deliverPrior(_ change: ExpressionChange) {
    guard options.contains(.prior), let subject = change.subject, !hasEnded else { return }
    withAddress(of: change.old) { old in
      operations.hear(subject, ChangedValues(old: old), change.reason, true)
    }
  }

  override func deliver(_ change: ExpressionChange) {
    guard let subject = change.subject, !hasEnded else { return }
    withAddress(of: change.old) { old in
      withAddress(of: change.new) { new in
        operations.hear(subject, ChangedValues(old: old, new: new), change.reason, false)
      }
    }
  }

  override func leafChanged(
    _ delivery: UnsafeMutablePointer<Delivery>, _ leaf: LeafValue
  ) {
    guard let subject else { return }
    if delivery.pointee.phase == .prior {
      guard options.contains(.prior) else { return }
      leaf.withValue(at: delivery.pointee.old) { old in
        operations.hear(subject, ChangedValues(old: old), .valueChanged, true)
      }
      return
    }
    if delivery.pointee.outer != nil, isEarly(delivery) {
      deferLeafChange(delivery, leaf, of: subject)
      return
    }
    leaf.withValue(at: delivery.pointee.old) { old in
      leaf.withValue(at: delivery.pointee.new) { new in
        operations.hear(subject, ChangedValues(old: old, new: new), .valueChanged, false)
      }
    }
    deliverDeferred()
  }

  private func deferLeafChange(
    _ delivery: UnsafeMutablePointer<Delivery>, _ leaf: LeafValue, of subject: AnyObject
  ) {
    let change = ExpressionChange(of: delivery)
    change.subject = subject
    leaf.withValue(at: delivery.pointee.old) { change.old = $0.map(operations.box) }
    leaf.withValue(at: delivery.pointee.new) { change.new = $0.map(operations.box) }
    deferDelivery(of: change)
  }

  override func reportNotSettling() {
    KeyValueDiagnostics.report(
      .doesNotSettle(type: subject.map { type(of: $0) } ?? AnyObject.self, key: text()))
  }

  // MARK: Ending

  override var outlivesSubject: Bool { aftermath is Mailbox }

  override func subjectDied() {
    guard !hasEnded else { return }
    end()
    aftermath?.subjectDied()
  }

  override func didEnd() {
    super.didEnd()
    aftermath?.ended()
  }
}

/// How the keys that are read lie on the path.
protocol PathRoute {
  mutating func placement(of slot: Slot, at position: Int) -> Placement
  mutating func didRead(_ recording: Recording) -> Reading
}
