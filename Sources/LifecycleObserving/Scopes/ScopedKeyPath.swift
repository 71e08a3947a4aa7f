internal import KeyValueObservingCore

/// The string key path of a scoped observation, which is reported once if it has become impossible.
final class ScopedKeyPath {
  private let keyPath: String
  private let span: Lifecycle.Span
  private let owner: Any.Type
  private var isReported = false

  init(_ keyPath: String, while span: Lifecycle.Span, of owner: some LifecycleOwner) {
    self.keyPath = keyPath
    self.span = span
    self.owner = type(of: owner)
  }

  func observe<Subject: KeyValueObservable>(
    from subject: Subject, options: KeyValueObservation.Options, for actor: (any Actor)?,
    handler: () -> (Subject, KeyValueChange<Any?>) -> Void
  ) -> KeyValueObservation? {
    do throws(KeyValueCodingError) {
      return try subject.observe(
        keyPath, options: options, for: actor, changeHandler: handler())
    } catch {
      if !isReported {
        isReported = true
        KeyValueDiagnostics.report(
          .invalidScopedKeyPath(
            keyPath, of: type(of: subject), while: span, owner: owner, error: error))
      }
      return nil
    }
  }
}
