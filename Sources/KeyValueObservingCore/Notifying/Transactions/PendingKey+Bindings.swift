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

  /// The histories that know of its changes which were not put back.
  var recorders: [ChangeRecorder] {
    var recorders: [ChangeRecorder] = []
    forEachChange { change in
      guard change.isChanged else { return }
      let snapshot = change.delivery.pointee.snapshot
      for registration in snapshot.registrations() {
        let recorder = registration._withUnsafeGuaranteedRef { $0.recorder(of: snapshot) }
        if let recorder { recorders.append(recorder) }
      }
    }
    return recorders
  }
}
