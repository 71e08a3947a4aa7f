/// A change that somebody is about to make to a property, and what its observers are to be told.
@usableFromInline
struct PlannedChange {
  /// What it does to the elements of a collection; nil where it sets the property.
  let edit: Edit?
  /// Reads what the change takes away, before it is made; nil where it takes nothing away.
  let old: (() -> AnyValueBox)?
  /// Reads what the change brings, after it is made; nil where it brings nothing.
  let new: (() -> AnyValueBox)?

  @usableFromInline
  init(edit: Edit?, old: (() -> AnyValueBox)?, new: (() -> AnyValueBox)?) {
    self.edit = edit
    self.old = old
    self.new = new
  }

  /// A change of a property as a whole.
  init(of property: KeyValueProperty, in subject: AnyObject) {
    let read = { property.box(of: subject) }
    self.init(edit: nil, old: read, new: read)
  }
}

extension KeyValueObservable {
  /// Runs `body`, and tells the observers of a property of one change, whatever is done to it inside.
  ///
  /// Inside another such change of the property on this thread, `body` is a part of that one.
  ///
  /// - Parameters:
  ///   - isByHand: Whether the change is told even if automatic notification is switched off.
  ///   - plan: What the change is going to be, nil if it comes to nothing. Asked for again if prior
  ///     callbacks changed something.
  ///   - body: Makes the change as it was planned last. If it throws, the change is told all the
  ///     same.
  func withChange<Result>(
    of property: KeyValueProperty, isByHand: Bool, as plan: () -> PlannedChange?,
    _ body: (PlannedChange?) throws -> Result
  ) rethrows -> Result {
    guard let slot = slotToChange(of: property, isByHand: isByHand), !slot.isScoped else {
      return try body(plan())
    }
    guard let planned = plan() else { return try body(nil) }
    let delivery = UnsafeMutablePointer<Delivery>.allocate(capacity: 1)
    defer { delivery.deallocate() }
    guard
      slot.context.begin(delivery, of: self, at: .passUnretained(slot), isByHand: isByHand)
    else {
      defer { slot.context.catchUp(slot) }
      // Observers that come meanwhile do not hear of it either.
      return try isByHand ? slot.withScope { try body(planned) } : body(planned)
    }
    let (final, old) = delivery.prepare(planned, plan)
    defer {
      if let final {
        delivery.complete(from: old, to: delivery.demands(.new) ? final.new?() : nil)
      } else {
        delivery.run(.abandon)
        delivery.end()
      }
      withExtendedLifetime(final) {}
    }
    return try slot.withScope { try body(final) }
  }

  /// The slot of a property that somebody observes. A change by hand needs one anyway.
  private func slotToChange(of property: KeyValueProperty, isByHand: Bool) -> Slot? {
    if !isByHand {
      return keyValueRegistrar.unmanagedContext?._withUnsafeGuaranteedRef {
        $0.slot(named: property.name)?.takeUnretainedValue()
      }
    }
    let isManual = PropertyTable.of(type(of: self)).isManual(property.name)
    return observationContext.makeSlot(named: property.name, isManual: isManual)
  }
}

extension UnsafeMutablePointer<Delivery> {
  /// Tells those who have to know before a change. Returns the change as it is to be made after
  /// that, and the old value if one is asked for.
  func prepare(
    _ planned: PlannedChange, _ plan: () -> PlannedChange?
  ) -> (PlannedChange?, old: AnyValueBox?) {
    var planned = planned
    describe(planned.edit)
    prepareOthers()
    if demands(.prior) {
      let changes = ThreadState.current.pointee.changes
      deliverPriors(from: demands(.old) ? planned.old?() : nil)
      if ThreadState.current.pointee.changes != changes {
        prepareAgain()
        guard let again = plan() else { return (nil, nil) }
        planned = again
        describe(planned.edit)
      }
    }
    return (planned, demands(.old) ? planned.old?() : nil)
  }

  private func describe(_ edit: Edit?) {
    pointee.edit = edit.map { .passUnretained($0) }
    if edit != nil { pointee.round.demand.insert(.edit) }
  }
}
