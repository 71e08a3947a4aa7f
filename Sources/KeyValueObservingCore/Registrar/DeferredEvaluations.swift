/// The derived values that are evaluated at the end of a mutation, and deliver their changes behind it.
///
/// A mutation in place cannot be read before (`InPlaceMutation`). In a mutation block they are those that have begun to
/// read its key (`MutationBlock`).
struct DeferredEvaluations {
  private(set) var evaluations: [(evaluate: () -> Void, deliver: (() -> Void)?)] = []
  /// References, so that no other derived value is taken for one that is gone.
  private var known: [ObjectIdentifier: WeakReference] = [:]

  /// Adds the evaluation of a derived value, and the delivery of its change if it has one.
  mutating func append(
    _ derived: Registration, evaluating evaluate: @escaping () -> Void, deliver: (() -> Void)?
  ) {
    exclude(derived)
    evaluations.append((evaluate, deliver))
  }

  /// Leaves out a derived value, unless it is added.
  mutating func exclude(_ derived: Registration) {
    known[ObjectIdentifier(derived)] = WeakReference(derived)
  }

  /// Whether a derived value is evaluated at the end, or was left out.
  func contains(_ derived: Registration) -> Bool {
    known[ObjectIdentifier(derived)]?.isReference(to: derived) ?? false
  }
}
