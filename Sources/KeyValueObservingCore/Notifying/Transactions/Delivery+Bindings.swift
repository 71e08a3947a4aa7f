internal import CKeyValueObserving

// A change of a bound key is a transaction, with all that its bindings write (P64).
extension UnsafeMutablePointer<Delivery> {
  /// Begins a transaction for a change of a bound key, to which the change then belongs.
  ///
  /// Returns false, and begins none, if no binding observes the key.
  func beginTransactionOfBindings() -> Bool {
    guard !pointee.snapshot.isOfPair, !pointee.traits.contains(.inPlace),
      Transaction.current == nil,
      !kvo_is_deallocating(pointee.subject.toOpaque()), isBound
    else { return false }
    Transaction.begin(rollsBack: false, without: [])
    guard let transaction = Transaction.current else { return false }
    let subject = pointee.subject.takeUnretainedValue()
    let observedKey = pointee.observedKey.takeUnretainedValue()
    let edit = pointee.edit?.takeUnretainedValue()
    _ = transaction.prepareChange(
      pointee.observedKey, of: subject, isManualNotification: true,
      edit == nil ? .property : .edits
    ) {
      observableObject(subject)?.keyValueProperty(named: observedKey.name)?.box(of: subject)
    }
    pointee.traits.insert(.joined)
    return true
  }

  /// Ends the transaction of a change of a bound key, which delivers the change.
  ///
  /// - `isMade`: Whether the change was made.
  func endTransactionOfBindings(isMade: Bool) {
    pointee.traits.remove(.joined)
    if let transaction = Transaction.current {
      transaction.editedKey = nil
      if transaction.depth > 1 {
        Transaction.end(rollingBack: !isMade)
      } else if !isMade {
        transaction.pendingKey(at: pointee.observedKey.takeUnretainedValue())?.takeBack()
      }
    }
    Transaction.end(rollingBack: false)
  }

  /// Notes that the change is about to be made, as it is planned after prior notifications.
  func markTransactionOfBindings() {
    guard let transaction = Transaction.current else { return }
    let observedKey = pointee.observedKey.takeUnretainedValue()
    let edit = pointee.edit?.takeUnretainedValue()
    if let key = transaction.pendingKey(at: observedKey) {
      // Values that prior handlers have set stay if this change is not made, so it is one in a transaction inside.
      if key.isChanged { Transaction.begin(rollsBack: false, without: []) }
      key.mark(transaction.depth, with: edit, isEditing: false)
    }
    if edit != nil { transaction.editedKey = observedKey }
  }

  /// Delivers the change of a bound key, and all that was written for it.
  func completeTransactionOfBindings() {
    endTransactionOfBindings(isMade: true)
    end()
  }

  /// Whether the change belongs to a transaction that it has begun for bindings.
  var isJoined: Bool { pointee.traits.contains(.joined) }

  private var isBound: Bool {
    pointee.snapshot.registrations().contains {
      $0._withUnsafeGuaranteedRef { $0.isOfBinding || leadsToBinding($0) }
    }
  }
}

/// Whether a binding is notified by the derived value of a link.
private func leadsToBinding(_ registration: Registration) -> Bool {
  guard let link = registration.link else { return false }
  // The registrations that depend on a computed key are attached to its inputs as well.
  return link.observation.isOfBinding
    || link.computedKey?.outputRegistrations.contains { $0.observation.isOfBinding } ?? false
}
