internal import CKeyValueObserving

extension KeyValueObservable {
  /// Begins a manual change of a property: captures what it removes, and sends prior notifications.
  ///
  /// - `planned`: The change, if it is not one of the property as a whole.
  /// - `new`: Reads the new members of a collection from the object.
  func beginPair(
    of property: KeyValueProperty, as planned: ChangeDescription? = nil,
    bringing new: ((AnyObject) -> AnyValueBox)? = nil
  ) {
    notifyTracking(.willSet, of: property)
    guard
      let hasSentPriors = kvo_has_transactions() ? beginInTransaction(pairOf: property) : false
    else { return }
    // In a mutation block, which is the change whatever is posted in it, none begins.
    guard let observedKey = existingKey(ofChanging: property) else { return }
    Delivery.withMemory { delivery in
      guard
        observedKey.context.begin(
          delivery, of: self, at: .passUnretained(observedKey), isManualNotification: true,
          beginsPair: true)
      else { return }
      if hasSentPriors { delivery.pointee.snapshot.needs.remove(.prior) }
      let planned = planned ?? ChangeDescription(of: property, in: self)
      let pair = ManualPair(
        edit: planned.edit, old: delivery.oldValueAfterPriors(of: planned), new: new)
      if planned.edit != nil, kvo_has_transactions() { pair.noteFormer(of: property, in: self) }
      delivery.keep(in: pair)
    }
  }

  /// Ends the manual change of a property that the running task or thread has begun last, or another one
  /// if it has begun none, and notifies its observers.
  ///
  /// Does nothing if no change is open.
  func endPair(of property: KeyValueProperty) {
    defer { notifyTracking(.didSet, of: property) }
    if kvo_has_transactions(), endInTransaction(pairOf: property) { return }
    completePair(of: property)
  }

  /// Notifies the observers of a pair that is complete.
  private func completePair(of property: KeyValueProperty) {
    guard let observedKey = keyOfPair(of: property) else { return }
    Delivery.withMemory { delivery in
      guard let pair = observedKey.context.beginCompletion(delivery, of: self, at: observedKey)
      else {
        return
      }
      delivery.setEdit(pair.edit)
      // The property has changed already: dependents take over what the pair has kept for them.
      delivery.pointee.pair = .passUnretained(pair)
      delivery.capture()
      delivery.pointee.pair = nil
      delivery.complete(
        from: pair.old, to: delivery.requires(.new) ? pair.newValue(of: property, in: self) : nil)
      extendLifetime(pair)
    }
  }

  // Out of line, as transactions are seldom (row: pair).
  /// Notes in the transaction of the thread, if there is one, that a pair begins.
  ///
  /// Returns whether the transaction has sent prior notifications of the key; nil if it puts values back, of which no
  /// pair begins.
  @inline(never)
  private func beginInTransaction(pairOf property: KeyValueProperty) -> Bool? {
    guard let transaction = Transaction.current(of: self) else { return false }
    return transaction.isRestoring ? nil : transaction.beginPair(of: property, in: self)
  }

  /// Ends a pair in the transaction of the thread, and returns whether there is one.
  @inline(never)
  private func endInTransaction(pairOf property: KeyValueProperty) -> Bool {
    guard let transaction = Transaction.current(of: self) else { return false }
    if transaction.isRestoring { return true }
    guard transaction.endPair(of: property, in: self) else {
      // It was begun before the transaction, and is a change of its own (P55).
      transaction.whenDelivered { self.completePair(of: property) }
      return true
    }
    if let observedKey = keyOfPair(of: property) {
      transaction.complete(property, of: self, at: observedKey)
    }
    transaction.noteChange(of: property.name, in: self)
    return true
  }

  /// The observed key of a property that pairs change now: a mutation block is the change, whatever is posted
  /// in it.
  private func keyOfPair(of property: KeyValueProperty) -> ObservedKey? {
    guard let observedKey = existingKey(ofChanging: property), !observedKey.isInMutationBlock else {
      return nil
    }
    return observedKey
  }
}

extension ManualPair {
  /// Keeps the value of a property where it is nil: in a transaction the collection of before is found by taking the
  /// edit back, which does not show that there was none.
  fileprivate func noteFormer(of property: KeyValueProperty, in subject: some KeyValueObservable) {
    guard Transaction.current(of: subject) != nil else { return }
    let value = property.box(of: subject)
    if value.isNil { former = value }
  }
}

extension UnsafeMutablePointer<Delivery> {
  /// Ends a delivery after its prior notifications, and keeps what was captured in a pair.
  fileprivate func keep(in pair: ManualPair) {
    pointee.pair = .passUnretained(pair)
    run(.handOver)
    let observedKey = pointee.observedKey.takeUnretainedValue()
    observedKey.context.lock.withLock {
      observedKey.state.open(pair, of: pointee.snapshot)
    }
    releaseBacklog()
    end()
    extendLifetime(pair)
  }
}

extension ObservationContext {
  /// Creates the delivery of the change that completes a pair.
  ///
  /// Returns nil, and creates none, if no pair is open.
  fileprivate func beginCompletion(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject, at observedKey: ObservedKey
  ) -> ManualPair? {
    lock.withLock {
      guard let (pair, observers) = observedKey.state.takePair(of: ThreadState.codeIdentity) else {
        return nil
      }
      delivery.initialize(
        to: Delivery(
          of: subject, at: .passUnretained(observedKey), observedKey.state.pin(observers)))
      observedKey.state.pinDependents(&delivery.pointee.snapshot)
      return pair
    }
  }
}
