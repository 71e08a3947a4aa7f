internal import KeyValueObservingCore

/// The observed object of a scoped observation, which may be another one later.
///
/// The reads of the closure are tracked as the inputs of a computed property are (P21), so the
/// object is followed when an observable property that leads to it is set. Other values that it
/// reads may have changed whenever the lifecycle has moved.
final class SubjectSource<Subject: KeyValueObservable>: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  private let find: () -> Subject?

  init<Owner: LifecycleOwner>(_ owner: Owner, _ find: @escaping (Owner) -> Subject?) {
    let owner = WeakReference(owner)
    self.find = { owner.target.flatMap { find(unsafeDowncast($0, to: Owner.self)) } }
  }

  static func keyValueProperties() -> [KeyValueProperty] {
    [
      .stored("moves", \SubjectSource.moves, chained: \SubjectSource?.?.moves, isReadOnly: true),
      .computed(
        "subject", \SubjectSource.subject, chained: \SubjectSource?.?.subject, isReadOnly: true),
    ]
  }

  var subject: Subject? {
    _ = moves
    return find()
  }

  /// Stands for all that is not observable.
  ///
  /// It holds nothing, so that any thread may read it.
  private var moves: Void {
    if KeyValueRegistrar.isTracking { keyValueRegistrar.access("moves", of: self) }
  }

  /// Evaluates ``subject`` again, in a transaction at its end.
  ///
  /// A change that is made in it would be taken back with it, and the move is not (P80).
  func lifecycleDidMove() {
    whenTransactionIsDelivered { [self] in withMutation(of: \.moves) {} }
  }
}
