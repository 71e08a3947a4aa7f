/// The changes of the inputs of a derived value that a transaction delivers as one change of it.
final class TransactionPart {
  /// The change of the input with which it has begun; to be compared only.
  let input: UnsafeMutablePointer<Delivery>
  /// The observers in whose names all inputs were changed that have not been put back; nil if all have (P57).
  private var excluded: Set<ObserverIdentity>?
  /// Whether inputs have been put back.
  private var hasTakenBack = false
  /// The observers to which no prior notification was sent, since the first change was made in their names; nil
  /// if none was sent at all.
  private var observersWithoutPrior: Set<ObserverIdentity>?
  /// The reason with which prior notifications were sent; nil if none was.
  private var reasonOfPriors: KeyValueChangeReason?
  /// The part of the computed key at the end of a path, which comes to know its inputs one by one; nil if that
  /// has not changed.
  private var partOfLastKey: TransactionPart?
  /// Whether an input has changed for observers from before the transaction as well.
  private var concernsFormerObservers = false
  /// The keys that led to the object with the last key of a path when the transaction began to change them.
  ///
  /// They may not any more when it ends: one may have an array then, whose elements the path reads.
  private var intermediateKeys: [ObservedKeyIdentity] = []
  /// Whether the derived value is older than the transaction: a change that only observers which were registered in
  /// that receive does not concern it.
  private let isFormer: Bool
  /// The observers of a computed key that were registered after one of its inputs had changed.
  var lateObservers: [LateObserversOfComputedKey] = []
  /// Whether the derived value was evaluated since the change began, and may have read what a rollback puts back.
  var wasEvaluated = false

  init(begunWith input: UnsafeMutablePointer<Delivery>, isFormer: Bool) {
    self.input = input
    self.isFormer = isFormer
  }

  /// Whether no change of an input is known.
  private var isEmpty: Bool { excluded == nil && !hasTakenBack && partOfLastKey == nil }

  /// Adds a change of an input.
  ///
  /// - `partOfKey`: The part that the input has, if its own inputs have made the change.
  /// - `isTakenBack`: Whether the input has the value that the observers know of.
  ///
  /// Returns whether it is the first.
  func add(
    _ delivery: UnsafeMutablePointer<Delivery>, from partOfKey: TransactionPart?,
    isTakenBack: Bool
  ) -> Bool {
    let isFirst = isEmpty
    if let partOfKey {
      partOfLastKey = partOfKey
    } else if isTakenBack {
      hasTakenBack = true
    } else {
      add(
        changeExcluding: ThreadState.current.excluded(by: delivery),
        concernsFormerObservers: !delivery.isLateObserversOnly)
    }
    return isFirst
  }

  /// Adds a change of the computed key itself, which was not taken back.
  ///
  /// - `others`: The observers in whose names it was made, which are passed over (P57).
  /// - `concernsFormerObservers`: Whether it is one for observers from before the transaction as well.
  func add(
    changeExcluding others: Set<ObserverIdentity>, concernsFormerObservers isForFormer: Bool = true
  ) {
    excluded = excluded?.intersection(others) ?? others
    if isForFormer { concernsFormerObservers = true }
  }

  /// Takes in an input that the transaction is about to change.
  func add(_ link: Link) {
    if link.isIntermediate, let key = link.lastKeyIdentity { intermediateKeys.append(key) }
  }

  /// Whether a key has led to the object with the last key of a path.
  func hasIntermediate(_ key: Unmanaged<ObservedKey>) -> Bool {
    !intermediateKeys.isEmpty && intermediateKeys.contains(ObservedKeyIdentity(key.toOpaque()))
  }

  /// Notes that prior notifications were sent to all observers but some.
  func noteSentPriors(
    without observers: Set<ObserverIdentity>, because reason: KeyValueChangeReason
  ) {
    observersWithoutPrior = observers
    reasonOfPriors = reason
  }

  /// The reason of a change that only follows its prior notification, which is that of the latter (P47); nil for
  /// another one.
  var reasonOfFollowing: KeyValueChangeReason? { isTakenBack ? reasonOfPriors : nil }

  /// Whether all inputs were put back, so that only observers of prior notifications are notified (P47).
  var isTakenBack: Bool { !isEmpty && excludedByAll == nil }

  private var excludedByAll: Set<ObserverIdentity>? {
    guard let excluded, let others = excludedByLastKey else {
      return excluded ?? excludedByLastKey
    }
    return excluded.intersection(others)
  }

  private var excludedByLastKey: Set<ObserverIdentity>? {
    guard let part = partOfLastKey, !isFormer || part.concernsFormerObservers else { return nil }
    return part.excludedByAll
  }

  /// The observers that are passed over, of those that are to be notified.
  ///
  /// - `receivesPriors`: Whether an observer requests prior notifications, each of which a change follows, also
  ///   if the change after it was taken back.
  func excluded(
    where receivesPriors: (ObserverIdentity) -> Bool
  ) -> Set<ObserverIdentity> {
    guard let excluded = excludedByAll else { return observersWithoutPrior ?? [] }
    guard let observersWithoutPrior, !excluded.isEmpty else { return excluded }
    return excluded.filter { observersWithoutPrior.contains($0) || !receivesPriors($0) }
  }

  /// Whether the observer of a derived value is passed over.
  func passesOver(_ observer: Registration, receivingPriors: Bool) -> Bool {
    isTakenBack && !receivingPriors
      || excluded { _ in receivingPriors }.contains(observer.identity)
  }
}
