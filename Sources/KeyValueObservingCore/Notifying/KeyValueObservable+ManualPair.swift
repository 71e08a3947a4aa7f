extension KeyValueObservable {
  /// Begins a manual change of a property: captures what it removes, and sends prior notifications.
  ///
  /// - `planned`: The change, if it is not one of the property as a whole.
  /// - `exchange`: Returns all that leaves a set and all that comes, if members make way for equal ones.
  func beginPair(
    of property: KeyValueProperty, as planned: ChangeDescription? = nil,
    exchanging exchange: () -> MemberExchange? = { nil }
  ) {
    notifyTracking(.willSet, of: property)
    let transaction = Transaction.current(of: self)
    // Of values that are put back no pair begins.
    if let transaction, transaction.isRestoring { return }
    let arePriorsSent = transaction?.beginPair(of: property, in: self) ?? false
    guard let observedKey = observedKey(ofChanging: property) else { return }
    Delivery.withMemory { delivery in
      // In a mutation block, which is the change whatever is posted in it, none begins.
      guard
        observedKey.begin(delivery, of: self, isManualNotification: true, beginsPair: true)
      else { return }
      if arePriorsSent { delivery.pointee.snapshot.needs.remove(.prior) }
      let change = planned ?? ChangeDescription(of: property)
      let old = delivery.prepare(change, of: property) { change }.old
      let isEditInTransaction = transaction != nil && change.edit != nil
      // A history is to know of members that make way, which receives prior notifications.
      let pair = ManualPair(
        change, old: old, former: isEditInTransaction ? property.box(of: self) : nil,
        exchange: arePriorsSent || delivery.requires(.prior) ? exchange() : nil,
        of: PairObservers(delivery.pointee.snapshot))
      // Derived values leave to it what they have captured, and forget the change.
      delivery.pointee.pair = .passUnretained(pair)
      delivery.run(.abandon)
      observedKey.withLock { observedKey.state.open(pair) }
      delivery.releaseBacklog()
      delivery.end()
    }
  }

  /// Ends the manual change of a property that the running task or thread has begun last, or another one
  /// if it has begun none, and notifies its observers.
  ///
  /// Does nothing if no change is open.
  func endPair(of property: KeyValueProperty) {
    defer { notifyTracking(.didSet, of: property) }
    if let transaction = Transaction.current(of: self) {
      return transaction.endPair(of: property, in: self)
    }
    completePair(of: property)
  }

  /// Notifies the observers of a pair that is complete.
  func completePair(of property: KeyValueProperty) {
    guard let observedKey = observedKey(ofChanging: property) else { return }
    Delivery.withMemory { delivery in
      let opened = observedKey.withLock {
        let pair = observedKey.takePairLocked()
        if let pair {
          delivery.initialize(
            to: Delivery(
              of: self, at: .passUnretained(observedKey), observedKey.state.pin(pair.observers)))
          observedKey.state.pinDependents(&delivery.pointee.snapshot)
        }
        return pair
      }
      guard let pair = opened else { return }
      delivery.setEdit(pair.edit)
      // The property has changed already: dependents take over what the pair has kept for them.
      delivery.pointee.pair = .passUnretained(pair)
      delivery.capture()
      delivery.pointee.pair = nil
      let new = delivery.requires(.new) ? pair.new?(self) : nil
      delivery.passOn(new, of: property)
      delivery.settle()
      if pair.exchange != nil { delivery.notifyOfExchange(madeBy: pair, of: property, in: self) }
      delivery.deliverOrEnqueue(pair.old, new, begunPausing: pair.pausedHistories)
      extendLifetime(pair)
    }
  }
}

extension UnsafeMutablePointer<Delivery> {
  /// Lets observers know of the members of a set that have made way for equal ones in a pair, which may have kept some.
  fileprivate func notifyOfExchange(
    madeBy pair: ManualPair, of property: KeyValueProperty, in subject: AnyObject
  ) {
    let present = property.box(of: subject)
    guard let planned = pair.exchange, let former = pair.former(of: present, adding: nil),
      let exchange = present.exchange(from: former, adding: [planned.added])
    else { return }
    pointee.snapshot.forEachNotified { $0.membersWereExchanged(self, exchange) }
  }
}
