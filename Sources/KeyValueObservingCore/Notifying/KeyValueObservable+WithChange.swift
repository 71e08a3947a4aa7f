internal import CKeyValueObserving

extension KeyValueObservable {
  /// Runs `body`, and notifies the observers of a property of one change, whatever `body` does to
  /// it.
  ///
  /// Inside another such change of the property on this thread, `body` is a part of that one.
  ///
  /// - `isManualNotification`: Whether the notification is manual, and is sent even if automatic
  ///   notification is disabled.
  /// - `plan`: Returns the change, nil if it changes nothing. It is called again after prior
  ///   notifications.
  /// - `body`: Makes the change as it was planned last. Observers are notified even if it throws.
  func withChange<Result>(
    of property: KeyValueProperty, isManualNotification: Bool, as plan: () -> ChangeDescription?,
    _ body: () throws -> Result
  ) rethrows -> Result {
    if isManualNotification { notifyTracking(.willSet, of: property) }
    defer { if isManualNotification { notifyTracking(.didSet, of: property) } }
    if let transaction = Transaction.current(of: self) {
      return try transaction.withChange(
        of: property, in: self, isManualNotification: isManualNotification, as: plan, body)
    }
    let observedKey = observedKey(ofChanging: property)
    guard let planned = plan(), observedKey?.isInMutationBlock != true else { return try body() }
    guard let observedKey else {
      return try withoutObservers(of: property, isManualNotification, body)
    }
    let delivery = UnsafeMutablePointer<Delivery>.allocate(capacity: 1)
    defer { delivery.deallocate() }
    guard observedKey.begin(delivery, of: self, isManualNotification: isManualNotification)
    else { return try withoutObservers(of: property, isManualNotification, body) }
    if delivery.requires(.prior), let transaction = delivery.beginTransactionIfBound() {
      defer { Transaction.end(rollingBack: false) }
      return try transaction.withChange(
        of: property, in: self, isManualNotification: isManualNotification, as: plan, body)
    }
    let (prepared, old) = delivery.prepare(planned, of: property, again: plan)
    guard let final = prepared else {
      delivery.abandon()
      return try body()
    }
    // Asked in this order, because most properties are stored (row: edit by proxy).
    let isVerified = property.kind == .computed && final.edit != nil
    let former = isVerified ? delivery.collectionBeforeEdit(of: property) : nil
    let lastChange = ThreadState.current.pointee.last_change
    func complete(_ joined: DeferredEvaluations?) {
      delivery.takeInChangesOfBody(since: lastChange)
      if isVerified {
        delivery.completeVerified(final, of: property, from: old, on: former, joined)
      } else {
        delivery.complete(final, of: property, from: old, in: self, joined)
      }
    }
    defer { extendLifetime(final) }
    let block = MutationBlock(
      of: property.name, observedKey, in: self, making: delivery,
      from: final.edit == nil ? old : nil)
    return try block.run(complete: complete, body)
  }

  /// Makes a change of a property that has no observers to be notified.
  ///
  /// Those that are registered meanwhile are not notified either (P13). Derived values among them are evaluated at the
  /// end.
  private func withoutObservers<Result>(
    of property: KeyValueProperty, _ isManualNotification: Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    func catchUp(_ joined: DeferredEvaluations? = nil) {
      joined?.evaluate()
      if let observedKey = observedKey(ofChanging: property), !observedKey.isInMutationBlock {
        observedKey.catchUp()
      }
      joined?.deliver()
    }
    if isManualNotification {
      let block = MutationBlock(of: property.name, observedKey(ofChanging: property), in: self)
      return try block.run(complete: catchUp, body)
    }
    defer { catchUp() }
    return try body()
  }
}

extension MutationBlock {
  /// Opens the block, runs `body`, and closes it.
  ///
  /// - `complete`: Completes the change, when the block is closed, with those of derived values that have joined it.
  consuming func run<Result>(
    complete: (DeferredEvaluations?) -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    let thread = ThreadState.current
    return try withUnsafeMutablePointer(to: &self) { block in
      if let observedKey = block.pointee.observedKey?.takeUnretainedValue() {
        observedKey.withLock { observedKey.mutationBlockCount += 1 }
      }
      thread.mutationBlock = block
      defer {
        thread.mutationBlock = block.pointee.outer
        if let observedKey = block.pointee.observedKey?.takeUnretainedValue() {
          observedKey.withLock { observedKey.mutationBlockCount -= 1 }
        }
        complete(block.pointee.joined)
      }
      return try body()
    }
  }
}

extension UnsafeMutablePointer<Delivery> {
  /// Sends prior notifications of a change, and captures what it replaces.
  ///
  /// - `plan`: Plans the change again, after prior notifications.
  ///
  /// Returns the change as it is to be made, nil if it changes nothing any more, and the old value if one is requested.
  func prepare(
    _ planned: ChangeDescription, of property: KeyValueProperty,
    again plan: () -> ChangeDescription?
  ) -> (ChangeDescription?, old: AnyValueBox?) {
    if requires(.prior) { return sendPriors(of: planned, property, plan) }
    let old = setEditAndReadOld(planned, of: property)
    capture()
    return (planned, old)
  }

  // Out of line, because variables that a closure changes are kept in memory (row: edit by proxy).
  @inline(never)
  private func sendPriors(
    of planned: ChangeDescription, _ property: KeyValueProperty,
    _ plan: () -> ChangeDescription?
  ) -> (ChangeDescription?, old: AnyValueBox?) {
    var (planned, old) = (Optional(planned), setEditAndReadOld(planned, of: property))
    let isPlanned = sendPriors(
      old: { withAddress(in: old, $0) }, isSensitive: planned?.edit != nil
    ) {
      planned = plan()
      old = planned.flatMap { setEditAndReadOld($0, of: property) }
      return planned != nil
    }
    return isPlanned ? (planned, old) : (nil, nil)
  }

  /// Delivers a change that was made.
  ///
  /// - `joined`: The derived values that have joined the mutation block.
  @inline(__always)
  fileprivate func complete(
    _ change: ChangeDescription, of property: KeyValueProperty, from old: AnyValueBox?,
    in subject: AnyObject, _ joined: DeferredEvaluations?
  ) {
    let new = requires(.new) ? change.new?(subject) : nil
    passOn(new, of: property)
    settle { joined?.evaluate() }
    deliverOrEnqueue(old, new, joined)
  }

  /// The collection that observers of a computed key know of before an edit of it; nil if it is unknown.
  @inline(never)
  fileprivate func collectionBeforeEdit(of property: KeyValueProperty) -> AnyValueBox? {
    if let computedKey {
      if let known = computedKey.outputValueInsideInput() { return known }
      if computedKey.isOutputUnknown { return nil }
    }
    return property.box(of: pointee.subject.takeUnretainedValue())
  }

  /// Delivers an edit of a computed collection as it was planned, or as a change of the collection as a whole, if that
  /// is another one than an edit makes.
  ///
  /// The getter need not return what the setter was given, and an observer of an input may have changed that again.
  ///
  /// - `former`: The collection before the change; nil if it is unknown.
  @inline(never)
  fileprivate func completeVerified(
    _ planned: ChangeDescription, of property: KeyValueProperty, from old: AnyValueBox?,
    on former: AnyValueBox?, _ joined: DeferredEvaluations?
  ) {
    let subject = pointee.subject.takeUnretainedValue()
    let present = property.box(of: subject)
    let added = planned.new?(subject)
    let isEdit =
      if let edit = planned.edit, let former {
        present.isResult(
          of: edit, on: former, removed: edit.indexes == nil ? planned.old?(subject) : nil,
          added: added)
      } else { false }
    if !isEdit { setEdit(nil) }
    computedKey?.passOnOutput(present)
    settle { joined?.evaluate() }
    // Not read once more (P15).
    deliverOrEnqueue(
      isEdit ? old : requires(.old) ? former : nil,
      requires(.new) ? isEdit ? added : present : nil, joined)
  }

  /// Makes the edit that is planned that of the delivery, and returns the old value if one is requested.
  private func setEditAndReadOld(
    _ planned: ChangeDescription, of property: KeyValueProperty
  ) -> AnyValueBox? {
    setEdit(planned.edit)
    guard requires(.old), let read = planned.old else { return nil }
    if property.mayBeInsideInput, planned.edit == nil,
      let known = computedKey?.outputValueInsideInput()
    {
      return known
    }
    return read(pointee.subject.takeUnretainedValue())
  }

  /// Makes the new value of a computed key, of which observers are notified, the old one of the changes of its inputs in
  /// whose mutation blocks it changes itself (P11), and of deallocations (P27).
  @inline(__always)
  func passOn(_ new: AnyValueBox?, of property: KeyValueProperty) {
    if requires(.dependence) || property.kind == .computed { passOnOutput(new) }
  }

  // Out of line, since few changes need it (row: edit by proxy).
  @inline(never)
  func passOnOutput(_ new: AnyValueBox?) {
    computedKey?.passOnOutput(pointee.edit == nil ? new : nil)
  }

  /// Computes the key, if it is one that depends on others.
  private var computedKey: (any KeyComputing)? {
    pointee.observedKey._withUnsafeGuaranteedRef { $0.anyComputedKey }
  }

  func setEdit(_ edit: Edit?) {
    pointee.edit = edit.map { .passUnretained($0) }
    if edit != nil { pointee.snapshot.needs.insert(.edit) }
  }
}

extension KeyValueProperty {
  /// Whether a change of the property that begins now may be inside of one of an input: the property is computed, or
  /// another change is being made around it.
  @inline(__always)
  var mayBeInsideInput: Bool { kind == .computed || ThreadState.current.isRunningBody }
}
