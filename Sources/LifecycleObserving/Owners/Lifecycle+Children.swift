extension Lifecycle {
  /// Adds a child, which receives every moment of the owner from now on, and is brought up to its phase.
  func addChild(_ child: any LifecycleOwner) {
    let lifecycle = child.lifecycle
    if lifecycle.parent === self { return }
    if phase == .ended || lifecycle.phase == .ended {
      return KeyValueDiagnostics.report(.childAfterEnd(type(of: child)))
    }
    if isSelfOrDescendant(of: lifecycle) {
      return KeyValueDiagnostics.report(.ancestorAsChild(type(of: child)))
    }
    lifecycle.parent?.children.removeAll { $0 === child }
    lifecycle.parent = self
    children.append(child)
    delivering { lifecycle.follow(phase) }
  }

  /// Removes a child, which disappears if it is on screen.
  func removeChild(_ child: any LifecycleOwner) {
    guard child.lifecycle.parent === self else { return }
    child.lifecycle.parent = nil
    children.removeAll { $0 === child }
    if Span.onScreen.contains(child.lifecycle.phase) { child.lifecycle.move(to: .loaded) }
  }

  /// Moves to the phase of the parent.
  ///
  /// One that has ended by itself stays ended, and one that was loaded before its parent stays
  /// loaded.
  func follow(_ phase: Phase) {
    if self.phase == .ended { return }
    if phase != .created { return move(to: phase) }
    if Span.onScreen.contains(self.phase) { move(to: .loaded) }
  }

  private func isSelfOrDescendant(of other: Lifecycle) -> Bool {
    sequence(first: self, next: \.parent).contains { $0 === other }
  }
}
