/// The changes of the inputs of a derived value that a transaction delivers as one change of it.
final class TransactionPart {
  /// The change of the input with which it has begun; to be compared only.
  let input: UnsafeMutablePointer<Delivery>
  /// The observers in whose names all inputs were changed; nil before the first is known (P57).
  private(set) var excluded: Set<ObserverIdentity>?
  /// Whether all inputs were put back, so that only observers of prior notifications are notified (P47).
  private(set) var isTakenBack = false

  init(begunWith input: UnsafeMutablePointer<Delivery>) {
    self.input = input
  }

  /// Adds a change of an input.
  ///
  /// Returns whether it is the first.
  func add(_ delivery: UnsafeMutablePointer<Delivery>) -> Bool {
    let others = excluded
    let own = ThreadState.current.excluded(by: delivery)
    isTakenBack = delivery.isTakenBack && (others == nil || isTakenBack)
    excluded = others?.intersection(own) ?? own
    return others == nil
  }

  /// Adds a change of the computed key itself, which was not taken back.
  ///
  /// - `names`: The observers in whose names it was made.
  ///
  /// Returns those in whose names all changes were made.
  func add(changeInNamesOf names: Set<ObserverIdentity>) -> Set<ObserverIdentity> {
    let common = isTakenBack ? names : excluded?.intersection(names) ?? names
    (isTakenBack, excluded) = (false, common)
    return common
  }

  /// Takes over what a computed key knows of its inputs.
  func take(over delivery: UnsafeMutablePointer<Delivery>) {
    isTakenBack = delivery.isTakenBack
    excluded = ThreadState.current.excluded(by: delivery)
  }

  /// Whether the observer of a derived value is passed over.
  func passesOver(_ observer: Registration, receivingPriors: Bool) -> Bool {
    isTakenBack && !receivingPriors || excluded?.contains(observer.identity) == true
  }
}
