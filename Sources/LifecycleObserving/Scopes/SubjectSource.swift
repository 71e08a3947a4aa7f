internal import KeyValueObservingCore

/// The object that a scoped observation observes, of which there may be another one later.
///
/// What the closure reads is found as the inputs of a computed property are (P21). So the object is
/// followed when an observable property that leads to it is set, and, whatever it is read from, when the
/// lifecycle moves to another phase.
final class SubjectSource<Subject: KeyValueObservable>: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  private let find: () -> Subject?

  init<Owner: LifecycleOwner>(_ owner: Owner, _ find: @escaping (Owner) -> Subject?) {
    let owner = FadingReference(owner)
    self.find = {
      guard let target = owner.target else { return nil }
      let owner = unsafeDowncast(target, to: Owner.self)
      _ = owner.lifecycle.phase
      return find(owner)
    }
  }

  static func keyValueProperties() -> [KeyValueProperty] {
    [
      .computed(
        "subject", \SubjectSource.subject, chained: \SubjectSource?.?.subject, isReadOnly: true)
    ]
  }

  var subject: Subject? { find() }
}
