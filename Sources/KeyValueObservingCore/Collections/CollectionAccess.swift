/// Reads and mutates the collection of a proxy's property, and notifies its observers.
@usableFromInline
struct CollectionAccess<Value> {
  @usableFromInline
  typealias Plan = () -> ChangeDescription?

  /// Reads the collection.
  @usableFromInline
  let value: () -> Value
  /// Changes the collection in place, where the property can be changed in place.
  @usableFromInline
  let mutate: (_ body: (inout Value) -> Void) -> Void
  /// Makes one change: requests a plan, and notifies observers before and after `body` makes the
  /// change.
  ///
  /// Reports the misfit that `body` returns, if the change could not be made.
  @usableFromInline
  let change: (_ plan: Plan, _ body: () -> EditMisfit?) -> Void
  /// Boxes members of the collection as a value of the property, which observers receive.
  @usableFromInline
  let box: (Value) -> AnyValueBox

  /// The property at a key path.
  ///
  /// The proxy belongs to the object that has the last key when the proxy is made, as Apple's does.
  /// If the key path goes on into a value, each change is one of the property as a whole.
  @inlinable
  init<Subject: KeyValueObservable>(
    to keyPath: ReferenceWritableKeyPath<Subject, Value>, of subject: Subject
  ) {
    if let (property, owner) = subject.target(of: keyPath) {
      self.init(
        value: { property.value(of: owner, as: Value.self) },
        mutate: { property.modify(owner, as: Value.self, $0) },
        change: { property.change(of: owner, as: $0, $1) }, box: { ValueBox($0) })
    } else {
      self.init(
        // The value that is edited, since an index of another one may be out of range (P35).
        value: { PresentValues.read { subject[keyPath: keyPath] } },
        mutate: { $0(&subject[keyPath: keyPath]) },
        change: { plan, body in
          PresentValues.read {
            _ = plan()
            _ = body()
          }
        }, box: { ValueBox($0) })
    }
  }

  /// The collection that is held by a property of another type.
  init<Whole>(
    to property: KeyValueProperty, of owner: some KeyValueObservable,
    in holding: CollectionHolding<Whole, Value>
  ) {
    self.init(
      value: { holding.collection(property.value(of: owner, as: Whole.self)) },
      mutate: { body in property.modify(owner, as: Whole.self) { holding.modify(&$0, body) } },
      change: { property.change(of: owner, as: $0, $1) }, box: { ValueBox(holding.value($0)) })
  }

  @usableFromInline
  init(
    value: @escaping () -> Value, mutate: @escaping ((inout Value) -> Void) -> Void,
    change: @escaping (Plan, () -> EditMisfit?) -> Void, box: @escaping (Value) -> AnyValueBox
  ) {
    self.value = value
    self.mutate = mutate
    self.change = change
    self.box = box
  }
}

extension KeyValueProperty {
  /// Makes one change: requests a plan, and notifies observers before and after `body` makes the
  /// change.
  ///
  /// Reports the misfit that `body` returns, if the change could not be made.
  @usableFromInline
  func change(
    of owner: any KeyValueObservable, as plan: () -> ChangeDescription?, _ body: () -> EditMisfit?
  ) {
    // A getter that edits a collection does not depend on it for that.
    let misfit = ThreadState.pauseRecording {
      owner.withChange(of: self, isManualNotification: false, as: plan, body)
    }
    if let misfit {
      KeyValueDiagnostics.report(
        .outdatedIndexes(misfit.span, count: misfit.count, type: type(of: owner), key: key))
    }
  }
}

extension KeyValueObservable {
  /// The object with the last key of a key path, and its property; nil if the path may consist of
  /// more than properties.
  @usableFromInline
  func target(
    of keyPath: PartialKeyPath<Self>
  ) -> (property: KeyValueProperty, owner: any KeyValueObservable)? {
    if let property = ownProperty(at: keyPath) { return (property, self) }
    // Not of the object's own class: a plan is kept with the class from which its key path leads.
    let plan =
      KnownKeyPath.of(keyPath, from: Self.self).plan?.takeUnretainedValue()
      ?? KeyPathDecomposer.plan(of: keyPath, from: Self.self) { _ = self[keyPath: keyPath] }
    var owner: any KeyValueObservable = self
    for property in plan?.properties.dropLast() ?? [] {
      guard let next = observableObject(property.value(of: owner)) else { return nil }
      owner = next
    }
    return plan?.properties.last.map { ($0, owner) }
  }
}
