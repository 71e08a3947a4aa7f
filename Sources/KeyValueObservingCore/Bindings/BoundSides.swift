/// The two sides of a binding, which it keeps equal.
///
/// It is retained by its token, and by a transaction that has changed a side; the registrations of the sides refer to
/// it unowned. Once it has ended, it does nothing.
final class BoundSides: SynchronizedSides {
  private let first: BindingSide
  private let second: BindingSide
  /// Makes values of the first side values of the second.
  ///
  /// Both are released at the end, since they may capture the owner of the token (P67).
  private var convert: BindingConversion
  /// The opposite; nil if the first side is not written.
  private var convertBack: BindingConversion?

  /// The number of the transaction that knows that a side changes.
  private var transactionNumber: UInt64 = 0
  /// The number of the last one at whose end it has written a change of a side, or found that the sides agree.
  ///
  /// Changes with smaller numbers that are delivered later are taken in. One that was taken back takes in none.
  private var numberOfLastWrite: UInt64 = 0
  /// The changes that it has written in that transaction: each once, so that rings end.
  @exclusivity(unchecked)
  private var writtenChanges: [BindingSide.Change] = []
  private var isWriting = false
  private var writeCount = 0
  /// The transaction in which it was made, if that has written nothing yet, and will not if it is rolled back; with the
  /// observers in whose names it was made, and the histories that leave that out.
  private var awaitedFirstWrite:
    (excluded: Set<ObserverIdentity>, pausedHistories: PausedHistories?)?
  /// Whether a side has stored another value than was written, and that has gone back (P65).
  private var hasReturned = false
  private var hasReported = false
  private var hasEnded = false

  /// Whether the binding has not ended.
  var isActive: Bool { !hasEnded && first.isAlive && second.isAlive }

  init(
    _ first: BindingSide, _ second: BindingSide, convert: BindingConversion,
    back: BindingConversion?
  ) {
    self.first = first
    self.second = second
    self.convert = convert
    convertBack = back
    Transaction.bindingCount.add(1, ordering: .relaxed)
  }

  deinit { Transaction.bindingCount.subtract(1, ordering: .relaxed) }

  /// Ends the binding.
  func end() {
    if hasEnded { return }
    hasEnded = true
    first.end()
    second.end()
    // Objects that they capture may be deallocated, which runs code of the program.
    let converters = (convert, convertBack)
    (convert, convertBack) = (.identity, nil)
    extendLifetime(converters)
  }

  // MARK: Changes

  /// Receives a change of a side.
  func receive(isPrior: Bool, at side: () -> BindingSide) {
    guard isActive else { return end() }
    if isPrior {
      if let transaction = Transaction.current { join(transaction) }
      return
    }
    let change = ThreadState.current.delivery?.pointee.number ?? 0
    if change == 0 || (change > numberOfLastWrite && change != transactionNumber) {
      // A change without prior notifications, such as a deallocation, has not been written yet.
      copy(from: side(), leftOutBy: ThreadState.current.historiesPausedAtBeginning())
    }
  }

  private func join(_ transaction: Transaction) {
    if transactionNumber == transaction.number {
      if !isWriting { transaction.hasChangedBoundSides = true }
      return
    }
    transactionNumber = transaction.number
    first.agreedStep = 0
    second.agreedStep = 0
    if !writtenChanges.isEmpty { writtenChanges.removeEach() }
    writeCount = 0
    hasReturned = false
    transaction.append(binding: self)
  }

  /// Writes the value of a side to the other one, as if it had been set now.
  ///
  /// - `observers`: Those in whose names it is written.
  /// - `histories`: The histories that leave out what is written.
  private func copy(
    from side: BindingSide, inNamesOf observers: Set<ObserverIdentity> = [],
    leftOutBy histories: PausedHistories?
  ) {
    withKeyValueTransaction {
      guard let transaction = Transaction.current else { return }
      join(transaction)
      transaction.write(inNamesOf: observers, leftOutBy: histories) {
        side.noteCopy(in: transaction)
      }
    }
  }

  /// Writes the value of the first side to the second one.
  ///
  /// In a transaction that is done at its end, and after a rollback with the value that was put
  /// back.
  func copyFirst() {
    let histories = ThreadState.current.pausedHistories
    if let transaction = Transaction.current {
      awaitedFirstWrite = (transaction.excluded, histories)
      transaction.whenDelivered { self.copyFirstIfAwaited() }
    }
    copy(from: first, leftOutBy: histories)
  }

  /// Writes the value of the first side if the transaction in which the binding was made has not.
  func copyFirstIfAwaited() {
    guard let (excluded, histories) = awaitedFirstWrite else { return }
    awaitedFirstWrite = nil
    if !isActive { return }
    copy(from: first, inNamesOf: excluded, leftOutBy: histories)
  }

  // MARK: Writing

  /// Follows key paths of which a transaction has replaced an intermediate object.
  func followObjects(in transaction: Transaction) {
    // Bindings are about to write, so the transaction is not rolled back.
    if awaitedFirstWrite != nil { awaitedFirstWrite = nil }
    first.followObjects(in: transaction)
    second.followObjects(in: transaction)
  }

  private struct DueWrite {
    let source: BindingSide
    let target: BindingSide
    let change: BindingSide.Change
  }

  /// The write that is due in a transaction: from the side that has changed since they agreed to the other one, or
  /// if both have, from the one that was set last.
  private func dueWrite(in transaction: Transaction) -> DueWrite? {
    guard isActive else { return nil }
    let (one, other) = (first.change(in: transaction), second.change(in: transaction))
    // A value that is being mutated in place is not read (P8), and is written when that has ended. A side that has no
    // object gives way later.
    guard one != nil || other != nil, !isBeingMutated, first.isReached, second.isReached else {
      return nil
    }
    numberOfLastWrite = transaction.number
    let isFirst = if let one, let other { one > other } else { other == nil }
    guard let change = isFirst ? one : other else { return nil }
    // A side that is never written from has no set that is due.
    let earlier = isFirst && convertBack == nil ? nil : isFirst ? other : one
    // An earlier set that has not been written yet would be, and then the value that agrees.
    if one == other || change.isAgreement && earlier?.isAgreement ?? true {
      first.agreedStep = transaction.stepCount
      second.agreedStep = transaction.stepCount
      return nil
    }
    if !isFirst, convertBack == nil {
      // A set of the first side that comes before has been overwritten.
      first.agreedStep = transaction.stepCount
      return nil
    }
    guard !writtenChanges.contains(change), !isRestored(change.rank, in: transaction) else {
      return nil
    }
    return DueWrite(
      source: isFirst ? first : second, target: isFirst ? second : first, change: change)
  }

  private var isBeingMutated: Bool {
    InPlaceMutation.mayBeOpen && (first.isBeingMutated || second.isBeingMutated)
  }

  /// Whether a history has put back the side that was set last, and has changes of the other one, too: that has the
  /// value of its own groups.
  private func isRestored(_ rank: Int, in transaction: Transaction) -> Bool {
    guard let group = transaction.restoredGroup, rank == group.rank else { return false }
    return first.hasValue(ofKeyWhere: group.isRecorded)
      && second.hasValue(ofKeyWhere: group.isRecorded)
  }

  /// The rank of the set that is to be written; nil if both sides agree.
  func rankOfDueWrite(in transaction: Transaction) -> Int? {
    dueWrite(in: transaction)?.change.rank
  }

  /// Writes the side that is due to the other one.
  ///
  /// Returns false if none is.
  func synchronize(in transaction: Transaction) -> Bool {
    guard let due = dueWrite(in: transaction) else { return false }
    let (source, target, change) = (due.source, due.target, due.change)
    writtenChanges.append(change)
    // Code of the target's setter may set the source again, which is a change of it.
    source.agreedStep = transaction.stepCount
    var outcome = Outcome.notWritten
    source.withValue { value in
      guard let value, let object = target.object else { return }
      let convert = source === first ? convert : convertBack ?? .identity
      convert(value, for: object) { converted in
        // The converter may have ended the binding.
        guard isActive else { return }
        guard let converted else {
          return reportUnconverted(source.erase(value), from: source, to: target)
        }
        outcome = write(
          converted, from: source, to: target, of: object, change, in: transaction)
      }
    }
    // It has the value already, or keeps its own.
    if outcome == .notWritten { target.agree(with: change, in: transaction) }
    target.agreedStep = transaction.stepCount
    if outcome == .writtenAsAnother, !hasReturned, convertBack != nil {
      hasReturned = true
      target.noteSet(in: transaction)
    }
    return true
  }

  private enum Outcome {
    case notWritten, written
    /// The setter has stored another value, which is a set of its own.
    case writtenAsAnother
  }

  /// Writes the value at an address to a side that has another one.
  private func write(
    _ value: UnsafeRawPointer, from source: BindingSide, to target: BindingSide,
    of object: AnyObject, _ change: BindingSide.Change, in transaction: Transaction
  ) -> Outcome {
    if target.isSame(as: value) == true { return .notWritten }
    writeCount += 1
    if writeCount > LoopLimit.generationLimit {
      reportNotConverging()
      return .notWritten
    }
    if target.hasPreparedChange(in: transaction) { transaction.hasChangedBoundSides = true }
    isWriting = true
    defer { isWriting = false }
    do throws(KeyValueCodingError) {
      try transaction.write(
        inNamesOf: source.excluded(in: transaction),
        leftOutBy: source.historiesToPause(in: transaction)
      ) { () throws(KeyValueCodingError) in
        try target.write(value, to: object, because: change, in: transaction)
      }
    } catch {
      // It keeps its value, which is no set that goes back (P66).
      reportRefused(target.erase(value), from: source, to: target, because: error)
      return .notWritten
    }
    return target.isSame(as: value) == false ? .writtenAsAnother : .written
  }

  // MARK: Diagnostics

  private func reportUnconverted(_ value: Any, from source: BindingSide, to target: BindingSide) {
    if hasReported { return }
    hasReported = true
    KeyValueDiagnostics.report(
      .unconvertedBoundValue(
        type: source.type, key: source.text, value: value, target: target.type,
        targetKey: target.text))
  }

  private func reportRefused(
    _ value: Any, from source: BindingSide, to target: BindingSide,
    because error: KeyValueCodingError
  ) {
    if hasReported { return }
    hasReported = true
    KeyValueDiagnostics.report(
      .rejectedMutation(
        type: source.type, key: source.text, value: value, target: target.type,
        targetKey: target.text, because: error.message))
  }

  private func reportNotConverging() {
    end()
    KeyValueDiagnostics.report(
      .nonConvergence(
        type: first.type, key: first.text, boundTo: second.text, in: second.type,
        after: LoopLimit.generationLimit))
  }
}
