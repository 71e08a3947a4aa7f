import KeyValueObserving

// Changes: their observers, the delivered values, and the order.

extension ModelRun {
  /// Changes a property and notifies its observers, or the mutation block around it does.
  func change(
    _ place: Place, of node: ModelNode, by edit: PlannedEdit? = nil, isDeallocation: Bool = false,
    _ perform: () -> Void
  ) {
    if !isDeallocation, isInScope(place) { return perform() }
    let change = begin(place, of: node, by: edit, isDeallocation: isDeallocation)
    perform()
    finish(change) { _, _ in true }
  }

  /// Makes everything that `perform` does to a property one change (P19).
  func scope(
    _ place: Place, of node: ModelNode, by edit: PlannedEdit? = nil, _ perform: () -> Void
  ) {
    if isInScope(place) { return perform() }
    let change = begin(place, of: node, by: edit)
    let scope = ModelScope(of: place, change)
    openScopes.append(scope)
    open(change.turns)
    perform()
    close(change.turns + scope.joined)
    openScopes.removeLast()
    endComputedKey(place)
    let joined = scope.joined.filter { turn in
      !turn.follower.hasEnded && reading(of: place, by: turn.follower) != nil
    }
    for turn in scope.joined where !joined.contains(where: { $0 === turn }) { release(turn) }
    for turn in joined { settle(turn, change) }
    // A path that does not read the property any more has received a change already (P25).
    finish(change) { now, _ in now != nil }
    for turn in joined { take(turn) }
  }

  func isInScope(_ place: Place) -> Bool { openScopes.contains { $0.place == place } }

  func will(_ place: Place, of node: ModelNode, by edit: PlannedEdit? = nil) {
    if isInScope(place) { return }
    let change = begin(place, of: node, by: edit)
    pairs[place, default: []].append(change)
    for turn in change.turns { release(turn) }
  }

  func did(_ place: Place) {
    guard !isInScope(place), var change = pairs[place]?.popLast() else { return }
    for case let computed as ComputedKey in change.turns.map(\.follower) {
      computed.changeCount += 1
    }
    // Inside a block of a computed key it is a part of that change.
    let deferred = change.turns.filter { isInScope($0.follower) }
    change.turns.removeAll { turn in deferred.contains { $0 === turn } }
    change.deferred += deferred.map(\.follower)
    for turn in deferred { release(turn) }
    // One that has left the property in between is not notified, also if it is back (P19).
    finish(change) { $0 == $1 }
  }

  private func isInScope(_ follower: Follower) -> Bool {
    (follower as? ComputedKey).map { isInScope($0.place) } ?? false
  }

  // MARK: Values

  /// Takes the old values, and notifies of what is about to change.
  private func begin(
    _ place: Place, of node: ModelNode, by edit: PlannedEdit? = nil, isDeallocation: Bool = false
  ) -> ModelChange {
    let all = attached[place, default: []] + dependents[place, default: []]
    let deferred = all.filter(isInScope)
    let turns = all.filter { follower in !deferred.contains { $0 === follower } }
      .map { turn(for: $0, at: place) }
    for received in turns.flatMap(\.audience) {
      received.isSpare = turns.contains { $0.follower === received.follower }
    }
    for turn in turns { prepare(turn, node, place, edit, isDeallocation: isDeallocation) }
    if !isDeallocation { for turn in turns { notifyBefore(turn) } }
    return ModelChange(
      place: place, node: node, edit: edit, followers: all, turns: turns, deferred: deferred)
  }

  func turn(for follower: Follower, at place: Place) -> Turn {
    let turn = Turn(
      follower, follower.attachments.first { $0.place == place }!.role, at: place,
      attachment: follower.attachmentNumbers[place])
    if let computed = follower as? ComputedKey {
      computed.changeCount += 1
      turn.audience = attached[computed.place, default: []].map {
        self.turn(for: $0, at: computed.place)
      }
    }
    return turn
  }

  private func prepare(
    _ turn: Turn, _ node: ModelNode, _ place: Place, _ edit: PlannedEdit?, isDeallocation: Bool
  ) {
    if turn.role == .leaf, let edit {
      turn.kind = edit.kind
      turn.indexes = edit.indexes
      turn.old = edit.removed(from: node.tags)
    } else if turn.role == .leaf {
      turn.old = node.value(place.key)
    } else {
      turn.old = turn.follower.value
    }
    // Otherwise it is the value at the end of the path before the change (P26).
    if edit == nil || turn.role != .leaf,
      let open = turn.follower.openTurns.last(where: { !$0.isEdit })
    {
      turn.old = open.old
    }
    // The property has no old value. The values read through it have the one that was delivered
    // last, unless that holds an object.
    if isDeallocation, turn.role == .leaf || turn.old?.isNode == true { turn.old = nil }
    for received in turn.audience {
      if received.follower.isDependent {
        prepare(received, node, place, nil, isDeallocation: isDeallocation)
      } else {
        received.old = turn.old
      }
    }
  }

  /// Takes the new values, and delivers the change, or leaves it to a delivery that is running.
  ///
  /// - `isAttached`: Whether a follower still takes part, from the number of its attachment now, and the one
  ///   that it had when the change began.
  private func finish(_ change: ModelChange, where isAttached: (Int?, Int?) -> Bool) {
    func takesPart(_ turn: Turn) -> Bool {
      isAttached(turn.follower.attachmentNumbers[turn.place], turn.attachment)
    }
    let turns = change.turns.filter(takesPart)
    for turn in change.turns where !takesPart(turn) { release(turn) }
    // One change notifies each once (P22).
    for turn in turns {
      turn.audience.removeAll { received in
        !takesPart(received)
          || received.isSpare && turns.contains { $0.follower === received.follower }
      }
    }
    for follower in change.followers {
      if let turn = turns.first(where: { $0.follower === follower }) {
        settle(turn, change)
      } else if !follower.hasEnded, change.deferred.contains(where: { $0 === follower }) {
        attach(follower)
      }
    }
    // Those of a computed key follow what was made before, also if that is still to be delivered itself.
    if let pending = computedKeys[change.place]?.story.last, !pending.isBeingNotified {
      pending.waiting.append(turns)
    } else if let running = deliveries.last(where: { $0.place == change.place }) {
      running.waiting.append(turns)
    } else {
      deliver(of: change.place) { for turn in turns { take(turn) } }
    }
  }

  /// Follows the paths to where they lead now, and takes the new values.
  func settle(_ turn: Turn, _ change: ModelChange) {
    if turn.role == .leaf, !turn.isJoined {
      turn.after = change.node.value(change.place.key)
      turn.new = change.edit.map { $0.inserted(in: change.node.tags) } ?? turn.after
    } else {
      if !turn.follower.hasEnded { attach(turn.follower) }
      turn.after = turn.follower.value
      turn.new = turn.after
    }
    turn.follower.story.append(turn)
    for open in turn.follower.openTurns where !open.isEdit {
      open.old = turn.after
      for received in open.audience where !received.follower.isDependent {
        received.old = turn.after
      }
    }
    for received in turn.audience {
      if received.follower.isDependent {
        settle(received, change)
        continue
      }
      received.new = turn.new
      received.after = turn.after
      received.follower.story.append(received)
    }
  }

  /// Notes that a change of a computed key is over.
  func release(_ turn: Turn) {
    guard let computed = turn.follower as? ComputedKey else { return }
    computed.changeCount -= 1
    endComputedKey(computed.place)
  }

  // MARK: Delivering

  /// Runs a delivery, and what waits for it.
  private func deliver(of place: Place, _ body: () -> Void) {
    let delivery = ModelDelivery(of: place)
    deliveries.append(delivery)
    body()
    while !delivery.waiting.isEmpty {
      for turn in delivery.waiting.removeFirst() { take(turn) }
    }
    deliveries.removeLast()
    endComputedKey(place)
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
      observer.story.append(Turn(observer, .leaf, at: Place(observer.root.number, observer.key)))
      call()
      observer.story.removeFirst()
      notifyDue(of: observer)
    } else {
      let place = Place(observer.root.number, observer.key)
      if deliveries.contains(where: { $0.place == place }) { return call() }
      deliver(of: place, call)
    }
  }

  /// The turn of a follower has come.
  ///
  /// It receives pending changes in the order in which they were made, so this may have to wait for
  /// an older change, and newer ones may wait for this.
  func take(_ turn: Turn) {
    let follower = turn.follower
    turn.isDue = true
    if follower.story.first === turn { notifyDue(of: follower) }
  }

  private func notifyDue(of follower: Follower) {
    while let next = follower.story.first, next.isDue {
      notify(next)
      follower.story.removeFirst()
    }
  }

  private func notify(_ turn: Turn) {
    turn.isBeingNotified = true
    if let computed = turn.follower as? ComputedKey {
      if let running = deliveries.last(where: { $0.place == computed.place }) {
        running.waiting.append(turn.audience)
        running.waiting += turn.waiting
      } else {
        deliver(of: computed.place) {
          deliveries.last?.waiting = turn.waiting
          for turn in turn.audience { take(turn) }
        }
      }
      release(turn)
    } else if let observer = turn.follower as? ModelObserver, !observer.hasEnded {
      notify(observer, turn)
    }
  }

  private func notify(_ observer: ModelObserver, _ turn: Turn) {
    // Nodes are no values that can be compared.
    if observer.wants(.distinct), !observer.key.isLink {
      // Elements that were inserted or removed are another value than before, whatever it has received.
      if turn.after == observer.last, [.setting, .replacement].contains(turn.kind) { return }
      observer.last = turn.after
    }
    var event = event(for: observer, turn)
    event.new = observer.wants(.new) ? turn.new : nil
    write(event)
    act(observer)
  }

  private func notifyBefore(_ turn: Turn) {
    for received in turn.audience where !received.isSpare { notifyBefore(received) }
    guard let observer = turn.follower as? ModelObserver, observer.wants(.prior),
      !observer.hasEnded
    else { return }
    var event = event(for: observer, turn)
    event.isPrior = true
    write(event)
    guard !isBurying, let action = observer.priorActions.popFirst() else { return }
    notifyingKinds.insert(.endInPrior)
    run(action)
  }

  private func event(for observer: ModelObserver, _ turn: Turn) -> Event {
    Event(
      observer: observer.registration.observer, kind: turn.kind, indexes: turn.indexes,
      old: observer.wants(.old) ? turn.old : nil, reason: turn.reason)
  }
}
