extension KeyPathObservation {
  // Noncopyable, so that the closures are called without being retained (row: last key set).
  /// Operations of code that knows the type of the value.
  @usableFromInline
  struct Operations: ~Copyable {
    private let read: (AnyObject) -> AnyValueBox?
    private let keep: (UnsafeRawPointer) -> AnyValueBox
    private let notifyObserver: (AnyObject, ChangedValues, KeyValueChangeReason, Bool) -> Void

    @usableFromInline
    init(
      compute: @escaping (AnyObject) -> AnyValueBox?,
      box: @escaping (UnsafeRawPointer) -> AnyValueBox,
      notify: @escaping (AnyObject, ChangedValues, KeyValueChangeReason, Bool) -> Void
    ) {
      read = compute
      keep = box
      notifyObserver = notify
    }

    /// Reads the value.
    borrowing func compute(_ subject: AnyObject) -> AnyValueBox? { read(subject) }

    /// Keeps the value at an address.
    borrowing func box(_ address: UnsafeRawPointer) -> AnyValueBox { keep(address) }

    /// Calls the observer.
    borrowing func notify(
      _ subject: AnyObject, _ values: ChangedValues, _ reason: KeyValueChangeReason, isPrior: Bool
    ) {
      notifyObserver(subject, values, reason, isPrior)
    }
  }
}
