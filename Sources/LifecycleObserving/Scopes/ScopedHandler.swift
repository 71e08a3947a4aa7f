internal import KeyValueObservingCore

/// Calls the handler of a scoped observation with the owner, while there is one.
struct ScopedHandler<Owner: LifecycleOwner, Value> {
  let owner: WeakReference
  let options: KeyValueObservation.Options
  private let schedule: ((@escaping () -> Void) -> Void)?
  private let changeHandler: (Owner, KeyValueChange<Value>) -> Void

  init(
    _ owner: Owner, _ options: KeyValueObservation.Options, _ delivery: LifecycleDelivery,
    _ changeHandler: @escaping (Owner, KeyValueChange<Value>) -> Void
  ) {
    self.owner = WeakReference(owner)
    // A deferred delivery comes after the change in any case.
    self.options = delivery.schedule == nil ? options : options.subtracting(.prior)
    schedule = delivery.schedule
    self.changeHandler = changeHandler
  }

  /// The closure to be registered for one stay in the span.
  func handler<Subject>(during stay: Stay) -> (Subject, KeyValueChange<Value>) -> Void {
    { _, change in
      if let schedule {
        schedule { deliver(change, during: stay) }
      } else {
        deliver(change, during: stay)
      }
    }
  }

  private func deliver(_ change: KeyValueChange<Value>, during stay: Stay) {
    guard !stay.isOver, let owner = owner.target else { return }
    changeHandler(unsafeDowncast(owner, to: Owner.self), change)
  }
}
