// Nodes are deallocated when no variable, no link, and no former link of the running statement
// holds them.

extension ModelRun {
  /// Releases the objects that the statement took out of links.
  ///
  /// They are deallocated one by one.
  func bury() {
    isBurying = true
    removeDeallocated()
    while !formerLinks.isEmpty {
      formerLinks.removeFirst()
      removeDeallocated()
    }
    isBurying = false
  }

  private func removeDeallocated() {
    while let deallocated = nodes.first(where: { !isHeld($0) }) {
      nodes.removeAll { $0 === deallocated }
      deallocate(deallocated)
    }
  }

  /// Rings of links hold themselves.
  private func isHeld(_ node: ModelNode) -> Bool {
    variables.contains { $0 === node } || formerLinks.contains { $0 === node }
      || nodes.contains { $0.next === node }
      || capturedLinks.values.contains { $0.contains { $0.contains { $0 === node } } }
  }

  private func deallocate(_ deallocated: ModelNode) {
    hadDeallocations.insert(history.count - 1)
    for (number, observer) in observers.sorted(by: { $0.key < $1.key })
    where observer.root === deallocated && !observer.hasEnded {
      end(observer)
      if observer.registration.surface == .reasons {
        write(Event(observer: number, reason: .sourceDeleted))
      }
    }
    for holder in nodes where holder.friend === deallocated {
      change(Place(holder.number, .friend), of: holder, isDeallocation: true) {
        holder.friend = nil
      }
    }
  }
}
