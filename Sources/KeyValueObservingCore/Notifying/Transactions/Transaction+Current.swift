public import CKeyValueObserving

// The transaction of the running thread.
extension Transaction {
  /// The transaction that is open on the running thread.
  static var current: Transaction? {
    unmanagedCurrent?.takeUnretainedValue()
  }

  /// The transaction to which a change of an object on the running thread belongs.
  ///
  /// An object that is being deallocated cannot be kept until the end (P54).
  @inlinable
  @inline(__always)
  static func current(of subject: AnyObject) -> Transaction? {
    kvo_has_transactions() ? open(for: subject) : nil
  }

  /// The same while a transaction is open on some thread.
  @usableFromInline
  static func open(for subject: AnyObject) -> Transaction? {
    guard let current, !kvo_is_deallocating(Unmanaged.passUnretained(subject).toOpaque()) else {
      return nil
    }
    return current
  }

  /// The transaction that is open on the running thread, not retained.
  @inlinable
  @inline(__always)
  static var unmanagedCurrent: Unmanaged<Transaction>? {
    kvo_thread().pointee.transaction.map { .fromOpaque($0) }
  }
}
