// Followers whose other properties change in an open mutation block of a property that they read (P19).

extension ModelRun {
  /// Lets changes of a block that begins follow what is delivered in it.
  func open(_ turns: [Turn]) {
    for turn in turns.flatMap({ [$0] + $0.audience }) where turn.follower.isDependent {
      turn.follower.openTurns.append(turn)
    }
  }

  func close(_ turns: [Turn]) {
    for turn in turns.flatMap({ [$0] + $0.audience }) {
      turn.follower.openTurns.removeAll { $0 === turn }
    }
  }

  /// The role of a property for a follower that reads it, itself or through a computed key.
  func reading(of place: Place, by follower: Follower) -> Follower.Role? {
    if let own = follower.attachments.first(where: { $0.place == place }) { return own.role }
    let isRead = follower.attachments.contains { attachment in
      computedKeys[attachment.place]?.attachments.contains { $0.place == place } ?? false
    }
    return isRead ? .computed : nil
  }

  /// Lets a follower that was attached take part in the blocks that are open.
  ///
  /// - `isFirst`: Whether it came in them.
  func join(_ follower: Follower, isFirst: Bool) {
    for scope in openScopes.reversed() {
      guard !scope.hasJoined(follower), !scope.excluded.contains(where: { $0 === follower }),
        let role = reading(of: scope.place, by: follower)
      else { continue }
      if isFirst { scope.excluded.append(follower) }
      if isFirst || takesPart(follower, in: scope) { continue }
      let turn = Turn(follower, role, at: scope.place)
      turn.old = oldValue(of: follower)
      if let computed = follower as? ComputedKey {
        computed.changeCount += 1
        turn.audience = attached[computed.place, default: []].map {
          let received = self.turn(for: $0, at: computed.place)
          received.old = $0.isDependent ? oldValue(of: $0) : turn.old
          return received
        }
      }
      scope.join(turn)
      open([turn])
    }
  }

  private func oldValue(of follower: Follower) -> Value {
    follower.openTurns.last { !$0.isEdit }?.old ?? follower.value
  }

  /// Whether a follower receives the change with which a block began.
  private func takesPart(_ follower: Follower, in scope: ModelScope) -> Bool {
    if follower.attachmentNumbers[scope.place] != nil {
      return scope.change.turns.contains { $0.follower === follower }
    }
    return (scope.change.turns + scope.joined).contains { turn in
      guard let computed = turn.follower as? ComputedKey,
        follower.attachmentNumbers[computed.place] != nil
      else { return false }
      return turn.audience.contains { $0.follower === follower }
    }
  }
}
