extension Lifecycle {
  /// Keeps an observation, which begins at once inside its span (P83).
  func add(_ observation: LifecycleObservation, of subject: Any.Type, for owner: OwnerReference) {
    if phase == .ended {
      KeyValueDiagnostics.report(
        .observationAfterEnd(of: subject, while: observation.span, owner: owner.type))
      return observation.invalidate()
    }
    if owner.target == nil {
      ownerIsGone(owner.type)
      return observation.invalidate()
    }
    observations.append(observation)
    endOrphans()
    if observation.span.contains(phase) { delivering { observation.enter() } }
  }

  func forget(_ observation: LifecycleObservation) {
    observations.removeAll { $0 === observation }
  }
}
