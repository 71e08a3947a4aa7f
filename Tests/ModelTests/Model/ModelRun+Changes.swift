import KeyValueObserving

// Changes: their observers, the delivered values, and the order.

extension ModelRun {
  /// Changes a property and notifies its observers.
  func change(
    _ place: Place, of node: ModelNode, by edit: Edit? = nil, isDeath: Bool = false,
    _ perform: () -> Void
  ) {
    let turns = followers(of: place).map { turn(for: $0, at: place) }
    for turn in turns { prepare(turn, node, place, edit, isDeath: isDeath) }
    if !isDeath { for turn in turns { tellPrior(turn) } }
    perform()
    for turn in turns { settle(turn, node, place, edit) }
    if let running = deliveries.last(where: { $0.place == place }) {
      running.waiting.append(turns)
    } else {
      deliver(turns, of: place)
    }
  }

  func followers(of place: Place) -> [Follower] {
    attached[place, default: []] + dependents[place, default: []]
  }

  private func turn(for follower: Follower, at place: Place) -> Turn {
    let turn = Turn(follower, follower.attachments.first { $0.place == place }!.role)
    if let computed = follower as? ComputedKey {
      turn.audience = attached[computed.place, default: []].map { Turn($0, .leaf) }
    }
    return turn
  }

  /// Takes the old values.
  private func prepare(
    _ turn: Turn, _ node: ModelNode, _ place: Place, _ edit: Edit?, isDeath: Bool
  ) {
    if turn.role == .leaf {
      turn.kind = edit?.kind ?? .setting
      turn.indexes = edit.map { [$0.place] }
      let removed = edit.map { $0.removed.isEmpty ? nil : Value.list($0.removed) }
      turn.old = removed ?? node.value(place.key)
    } else {
      turn.old = turn.follower.value
    }
    // The property has no old value. The values read through it have the one that was delivered
    // last, unless that holds an object.
    if isDeath, turn.role == .leaf || turn.old?.isNode == true { turn.old = nil }
    for heard in turn.audience { heard.old = turn.old }
  }

  /// Follows the paths to where they lead now, and takes the new values.
  private func settle(_ turn: Turn, _ node: ModelNode, _ place: Place, _ edit: Edit?) {
    if turn.role == .leaf {
      turn.after = node.value(place.key)
      let inserted = edit.map { $0.inserted.isEmpty ? nil : Value.list($0.inserted) }
      turn.new = inserted ?? turn.after
    } else {
      if !turn.follower.hasEnded { attach(turn.follower) }
      turn.after = turn.follower.value
      turn.new = turn.after
    }
    turn.follower.story.append(turn)
    for heard in turn.audience {
      heard.new = turn.new
      heard.after = turn.after
      heard.follower.story.append(heard)
    }
  }

  // MARK: Delivering

  private func deliver(_ turns: [Turn], of place: Place) {
    deliver(to: turns, of: place) { for turn in turns { take(turn) } }
  }

  /// Runs a delivery, and what waits for it.
  private func deliver(to turns: [Turn], of place: Place, _ body: () -> Void) {
    let delivery = ModelDelivery(of: place, to: turns)
    deliveries.append(delivery)
    body()
    while !delivery.waiting.isEmpty {
      for turn in delivery.waiting.removeFirst() { take(turn) }
    }
    deliveries.removeLast()
  }

  /// Calls an observer for the first time.
  ///
  /// The changes that it makes meanwhile wait: those of its key, or where it is a path, those that
  /// it receives (P11).
  func deliverInitial(to observer: ModelObserver) {
    func call() {
      let observed = observer.wants(.new) ? observer.value : nil
      write(Event(observer: observer.registration.observer, new: observed))
      act(observer)
    }
    if observer.registration.path.count > 1 {
      observer.story.append(Turn(observer, .leaf))
      call()
      observer.story.removeFirst()
      tellDue(of: observer)
    } else {
      let place = Place(observer.root.number, observer.key)
      if deliveries.contains(where: { $0.place == place }) { return call() }
      deliver(to: [], of: place, call)
    }
  }

  /// The turn of a follower has come.
  ///
  /// It receives pending changes in the order in which they were made, so this may have to wait for
  /// an older change, and newer ones may wait for this.
  private func take(_ turn: Turn) {
    let follower = turn.follower
    turn.isDue = true
    if follower.story.first === turn { tellDue(of: follower) }
  }

  private func tellDue(of follower: Follower) {
    while let next = follower.story.first, next.isDue {
      tell(next)
      follower.story.removeFirst()
    }
  }

  private func tell(_ turn: Turn) {
    if let computed = turn.follower as? ComputedKey {
      if let running = deliveries.last(where: { $0.place == computed.place }) {
        running.waiting.append(turn.audience)
      } else {
        deliver(turn.audience, of: computed.place)
      }
    } else if let observer = turn.follower as? ModelObserver, !observer.hasEnded {
      tell(observer, turn)
    }
  }

  private func tell(_ observer: ModelObserver, _ turn: Turn) {
    // Nodes are no values that can be compared.
    if observer.wants(.distinct), !observer.key.isLink {
      if turn.after == observer.last { return }
      observer.last = turn.after
    }
    var event = event(for: observer, turn)
    event.new = observer.wants(.new) ? turn.new : nil
    write(event)
    act(observer)
  }

  private func tellPrior(_ turn: Turn) {
    for heard in turn.audience { tellPrior(heard) }
    guard let observer = turn.follower as? ModelObserver, observer.wants(.prior) else { return }
    var event = event(for: observer, turn)
    event.isPrior = true
    write(event)
  }

  private func event(for observer: ModelObserver, _ turn: Turn) -> Event {
    Event(
      observer: observer.registration.observer, kind: turn.kind, indexes: turn.indexes,
      old: observer.wants(.old) ? turn.old : nil, reason: turn.reason)
  }
}
