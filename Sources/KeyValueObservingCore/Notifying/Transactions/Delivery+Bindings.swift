internal import CKeyValueObserving

// A change of a bound key is a transaction, with all that its bindings write (P64).
extension UnsafeMutablePointer<Delivery> {
  /// Begins a transaction for a change, if a binding observes the key, and ends the delivery that has begun for it.
  ///
  /// Every way in of a change calls it where prior notifications would come next, which bindings request. It makes the
  /// change in the transaction from the beginning, and ends that. A mutation in place and a manual pair do not, since
  /// they end elsewhere, nor does a report, which comes after the change: bindings write these in their turn among
  /// the observers.
  ///
  /// Returns nil if no binding observes the key.
  @usableFromInline
  func beginTransactionIfBound() -> Transaction? {
    guard Transaction.bindingCount.load(ordering: .relaxed) != 0, Transaction.current == nil,
      !kvo_is_deallocating(pointee.subject.toOpaque()), isBound
    else { return nil }
    end()
    return Transaction.begin(rollsBack: false, without: []).takeUnretainedValue()
  }

  private var isBound: Bool {
    pointee.snapshot.registrations().contains {
      $0._withUnsafeGuaranteedRef {
        // The registrations that depend on a computed key are attached to its inputs as well.
        $0.observation.isOfBinding
          || $0.link?.computedKey?.outputRegistrations.contains { $0.observation.isOfBinding }
            ?? false
      }
    }
  }
}
