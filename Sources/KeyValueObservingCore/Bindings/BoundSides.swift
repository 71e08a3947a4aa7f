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
  /// The number of the last one that it joined while neither side was being mutated in place.
  ///
  /// Such a mutation has its number from the beginning, and is a change where it ends.
  private var numberOutsideMutations: UInt64 = 0
  private var writeCount = 0
  /// Whether it was made in a transaction that has written nothing yet, and will not if it is
  /// rolled back.
  private var awaitsFirstWrite = false
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
  func receive(at side: BindingSide, isPrior: Bool) {
    guard isActive else { return end() }
    if isPrior {
      if let transaction = Transaction.current { join(transaction) }
      return
    }
    let change = ThreadState.current.delivery?.pointee.number ?? 0
    if change == 0 || (change > numberOutsideMutations && change != transactionNumber) {
      // A change without prior notifications, such as a deallocation, has not been written yet.
      copy(from: side)
    }
  }

  private func join(_ transaction: Transaction) {
    if transactionNumber == transaction.number { return }
    transactionNumber = transaction.number
    if !isBeingMutated { numberOutsideMutations = transaction.number }
    writeCount = 0
    hasReturned = false
    transaction.append(binding: self)
  }

  /// Writes the value of a side to the other one, as if it had been set now.
  func copy(from side: BindingSide) {
    withKeyValueTransaction {
      guard let transaction = Transaction.current else { return }
      join(transaction)
      side.setOwnRank(transaction.makeStep(), in: transaction)
    }
  }

  /// Writes the value of the first side to the second one.
  ///
  /// In a transaction that is done at its end, and after a rollback with the value that was put
  /// back.
  func copyFirst() {
    if let transaction = Transaction.current {
      awaitsFirstWrite = true
      transaction.append { self.copyFirstIfAwaited() }
    }
    copy(from: first)
  }

  /// Writes the value of the first side if the transaction in which the binding was made has not.
  func copyFirstIfAwaited() {
    if !awaitsFirstWrite { return }
    awaitsFirstWrite = false
    if isActive { copy(from: first) }
  }

  // MARK: Writing

  /// Follows key paths of which a transaction has replaced an intermediate object.
  func followObjects(in transaction: Transaction) {
    // Bindings are about to write, so the transaction is not rolled back.
    awaitsFirstWrite = false
    first.followObjects(in: transaction)
    second.followObjects(in: transaction)
  }

  /// The write that is due in a transaction: from the side that was set last to the other one.
  private func write(dueIn transaction: Transaction) -> (BindingSide, BindingSide, rank: Int)? {
    guard isActive else { return nil }
    let (one, other) = (first.rank(in: transaction), second.rank(in: transaction))
    // A value that is being mutated in place is not read (P8), and is written when that has ended. A side that has no
    // object gives way later.
    guard one != other, !isBeingMutated, first.isReached, second.isReached,
      !isRestored(max(one, other), in: transaction)
    else { return nil }
    if one > other { return (first, second, one) }
    return convertBack != nil ? (second, first, other) : nil
  }

  private var isBeingMutated: Bool { first.isBeingMutated || second.isBeingMutated }

  /// Whether a history has put back the side that was set last, and has changes of the other one, too: that has the
  /// value of its own groups.
  private func isRestored(_ rank: Int, in transaction: Transaction) -> Bool {
    guard let group = transaction.restoredGroup, rank == group.rank else { return false }
    return first.containsKey(where: group.isRecorded)
      && second.containsKey(where: group.isRecorded)
  }

  /// The rank of the set that is to be written; nil if both sides agree.
  func rank(dueIn transaction: Transaction) -> Int? { write(dueIn: transaction)?.rank }

  /// Writes the side that was set last to the other one.
  ///
  /// Returns false if both sides agree.
  func synchronize(in transaction: Transaction) -> Bool {
    guard let (source, target, rank) = write(dueIn: transaction) else { return false }
    // If an intermediate object was replaced, its value may come from an older set.
    source.setRank(rank, in: transaction)
    source.withValue { value in
      guard let value, let object = target.object else { return }
      let convert = source === first ? convert : convertBack ?? .identity
      convert(value, for: object) { converted in
        // The converter may have ended the binding.
        guard isActive else { return }
        guard let converted else {
          return reportUnconverted(source.erase(value), from: source, to: target)
        }
        write(converted, from: source, to: target, of: object, rank: rank, in: transaction)
      }
    }
    // Also where nothing was written: the target agrees from now on, or keeps its value.
    target.setRank(max(rank, target.rank(in: transaction)), in: transaction)
    return true
  }

  /// Writes the value at an address to a side that has another one.
  private func write(
    _ value: UnsafeRawPointer, from source: BindingSide, to target: BindingSide,
    of object: AnyObject, rank: Int, in transaction: Transaction
  ) {
    if target.isSame(as: value) == true { return }
    writeCount += 1
    if writeCount > LoopLimit.generationLimit { return reportNotConverging() }
    do throws(KeyValueCodingError) {
      try target.write(value, to: object, because: rank, in: transaction)
    } catch {
      // It keeps its value, which is no set that goes back (P66).
      return reportRefused(target.erase(value), from: source, to: target, because: error)
    }
    if target.isSame(as: value) == false, !hasReturned, convertBack != nil {
      // The setter has stored another value, which is a set of its own.
      hasReturned = true
      target.setRank(transaction.makeStep(), in: transaction)
    }
  }

  // MARK: Diagnostics

  private var text: String { "\(first.text) and \(second.text)" }

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
