// The conditions of its changes, under which a binding writes the value to another key.
extension PendingKey {
  /// The observers in whose names all its changes were made that were not put back; nil if there are none.
  var excluded: Set<ObserverIdentity>? {
    var excluded: Set<ObserverIdentity>?
    forEachChange {
      if $0.isChanged { excluded = excluded?.intersection($0.excluded) ?? $0.excluded }
    }
    return excluded
  }

  /// The histories that leave out its first change that was not put back, and so the others; nil if there is none.
  var pausedHistories: [any PausableHistory]? {
    var histories: [any PausableHistory]?
    forEachChange {
      if histories == nil, $0.isChanged { histories = $0.pausedHistories?.histories ?? [] }
    }
    return histories
  }
}
