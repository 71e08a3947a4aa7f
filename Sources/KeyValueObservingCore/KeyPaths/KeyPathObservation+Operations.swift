extension KeyPathObservation {
  // Noncopyable, so that the closures are called without being retained (row: last key set).
  /// Operations of code that knows the type of the value.
  @usableFromInline
  struct Operations: ~Copyable {
    /// Reads the value.
    let compute: (AnyObject) -> AnyValueBox?
    /// Keeps the value at an address.
    let box: (UnsafeRawPointer) -> AnyValueBox
    private let notifyObserver: (AnyObject, ChangedValues, KeyValueChangeReason, Bool) -> Void

    @usableFromInline
    init(
      compute: @escaping (AnyObject) -> AnyValueBox?,
      box: @escaping (UnsafeRawPointer) -> AnyValueBox,
      notify: @escaping (AnyObject, ChangedValues, KeyValueChangeReason, Bool) -> Void
    ) {
      self.compute = compute
      self.box = box
      notifyObserver = notify
    }

    /// Calls the observer.
    borrowing func notify(
      _ subject: AnyObject, _ values: ChangedValues, _ reason: KeyValueChangeReason, isPrior: Bool
    ) {
      notifyObserver(subject, values, reason, isPrior)
    }
  }
}
