// Nodes are deallocated when no variable, no link, and no former link of the running statement
// holds them.

extension ModelRun {
  /// Releases the objects that the statement took out of links.
  ///
  /// They are deallocated one by one.
  func bury() {
    isBurying = true
    removeDead()
    while !formerLinks.isEmpty {
      formerLinks.removeFirst()
      removeDead()
    }
    isBurying = false
  }

  private func removeDead() {
    while let dead = nodes.first(where: { !isHeld($0) }) {
      nodes.removeAll { $0 === dead }
      die(dead)
    }
  }

  /// Rings of links hold themselves.
  private func isHeld(_ node: ModelNode) -> Bool {
    variables.contains { $0 === node } || formerLinks.contains { $0 === node }
      || nodes.contains { $0.next === node }
      || capturedLinks.values.contains { $0.contains { $0.contains { $0 === node } } }
  }

  private func die(_ dead: ModelNode) {
    hadDeaths.insert(history.count - 1)
    for (number, observer) in observers.sorted(by: { $0.key < $1.key })
    where observer.root === dead && !observer.hasEnded {
      end(observer)
      if observer.registration.surface == .reasons {
        write(Event(observer: number, reason: .sourceDeleted))
      }
    }
    for holder in nodes where holder.friend === dead {
      change(Place(holder.number, .friend), of: holder, isDeath: true) { holder.friend = nil }
    }
  }
}
