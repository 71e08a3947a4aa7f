internal import KeyValueObservingCore

/// Makes an object of a class with the macro `@Observable` observable by key path, with old and new values
/// and without being asked again after each change.
///
///     let source = ObservableSource(player)
///     let observation = source.observe(\.title, options: [.old, .new]) { _, change in
///       print(change)
///     }
///
/// The source has the properties of the model, and may be observed as any `KeyValueObservable`: by itself,
/// in the getter of a computed property, and on a key path such as `\Screen.player?.title`. A property of an
/// object behind the model's own is named in brackets, so that all that is read on the way is tracked:
/// `\.[\.artist.name]`.
///
/// Observers are notified on the actor on which the source was made, in a turn of its own after the code
/// that changed the model has suspended or returned (P96). All sets of a property until then are one change,
/// with the value before the first set and the one after the last. There are no prior notifications. The
/// last value is delivered in the end if the model is changed on that actor only.
///
/// The source retains its model, and the model does not retain the source. Keep the source as long as it is
/// to be observed; its observations end with it (P33).
@dynamicMemberLookup
public final class ObservableSource<Model: AnyObject & Observable>: KeyValueSource {
  /// The object that is observed.
  public let model: Model

  /// The registrar of the object's observers.
  public let keyValueRegistrar = KeyValueRegistrar()
  let changes: PendingChanges

  /// Creates the source of a model.
  ///
  /// - Parameters:
  ///   - model: The object, which the source retains.
  ///   - isolation: The actor to which changes are delivered, and on which the model is read for
  ///     them. It is the one on which this is called, and there has to be one. The source does not
  ///     retain it.
  public init(_ model: Model, isolation: isolated any Actor = #isolation) {
    self.model = model
    changes = PendingChanges(isolation)
    changes.source = self
  }

  /// Returns the value of a property.
  ///
  /// While a change is being delivered, that is the value that was delivered last for the property, if it is
  /// observed: another set of the model is the next change.
  ///
  /// - Parameter keyPath: The property of the model.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Model, Value>) -> Value {
    value(at: keyPath)
  }

  /// Returns or sets the value of a property.
  ///
  /// It is set in the model immediately; observers are notified as of every other change of the
  /// model. A mutation in place, such as `source.count += 1`, begins with the value that the model has, also
  /// while a change is being delivered.
  ///
  /// - Parameter keyPath: The property of the model.
  public subscript<Value>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Model, Value>
  ) -> Value {
    get { value(at: keyPath) }
    set { model[keyPath: keyPath] = newValue }
    // Not the getter and the setter: the value that was delivered last may be outdated, and would overwrite the
    // present one.
    _modify { yield &model[keyPath: keyPath] }
  }

  /// Returns the value at a key path of the model.
  ///
  /// A change of anything that is read on the way is a change of the value.
  ///
  /// This is also how a property is named whose name is that of a member of the source, such as `model` or
  /// `value`.
  ///
  /// - Parameter keyPath: A key path from the model, of any length.
  public subscript<Value>(keyPath: KeyPath<Model, Value>) -> Value { value(at: keyPath) }

  /// Returns or sets the value at a key path of the model.
  ///
  /// - Parameter keyPath: A key path from the model, of any length.
  public subscript<Value>(keyPath: ReferenceWritableKeyPath<Model, Value>) -> Value {
    get { value(at: keyPath) }
    set { model[keyPath: keyPath] = newValue }
    // Not the getter and the setter: the value that was delivered last may be outdated, and would overwrite the
    // present one.
    _modify { yield &model[keyPath: keyPath] }
  }

  /// Returns or sets the value at a key path of the source.
  ///
  /// It does what Swift's own subscript does, but for a mutation in place: `source[keyPath: \.count] += 1`
  /// begins with the value that the model has, also while a change is being delivered.
  ///
  /// - Parameter keyPath: A key path from the source, of any length.
  public subscript<Value>(
    keyPath keyPath: ReferenceWritableKeyPath<ObservableSource, Value>
  ) -> Value {
    get { read(keyPath, of: self) }
    set { write(newValue, at: keyPath, of: self) }
    _modify {
      var value = PresentValues.read { read(keyPath, of: self) }
      defer { write(value, at: keyPath, of: self) }
      yield &value
    }
  }

  private func value<Value>(at keyPath: KeyPath<Model, Value>) -> Value {
    if !KeyValueRegistrar.isTracking, !changes.isDelivering { return model[keyPath: keyPath] }
    let entry = ModelEntries.entry(at: keyPath)
    let value = keyValueRegistrar.value(of: entry.property, in: self) {
      let delivered = PresentValues.areRead ? nil : changes.deliveredValue(of: entry)
      return flatten(delivered ?? model[keyPath: keyPath])
    }
    return value as! Value
  }
}

// Of any type, so that the subscript is Swift's own.
private func read<Root, Value>(_ keyPath: KeyPath<Root, Value>, of root: Root) -> Value {
  root[keyPath: keyPath]
}

private func write<Root, Value>(
  _ value: Value, at keyPath: ReferenceWritableKeyPath<Root, Value>, of root: Root
) {
  root[keyPath: keyPath] = value
}

// MARK: What observing takes

extension ObservableSource {
  /// There are none: the names of the model's properties are not known to a running program.
  public static func keyValueProperties() -> [KeyValueProperty] { [] }

  /// Whether objects may have keys that their class does not list: they do.
  public static var hasDynamicKeys: Bool { true }

  /// Returns the entry of a key path that was observed.
  ///
  /// Its key is no name, but a number.
  ///
  /// - Parameter key: A key of the source.
  /// - Returns: The property, or nil if there is none for the key.
  public func keyValueProperty(forKey key: String) -> KeyValueProperty? {
    // The numbers of all sources are one sequence.
    ModelEntries.entry(forKey: key).flatMap { $0.owner == Self.self ? $0.property : nil }
  }

  /// Begins to watch a key that has its first observer.
  ///
  /// - Parameter key: The key.
  public func didBecomeObserved(forKey key: String) {
    changes.track(key)
  }

  /// Ends watching a key that has lost its last observer.
  ///
  /// - Parameter key: The key.
  public func didBecomeUnobserved(forKey key: String) {
    changes.release(key)
  }
}

extension ObservableSource: ModelSource {
  func modelValue(at keyPath: AnyKeyPath) -> Any? { model[keyPath: keyPath] }

  func report(_ entry: ModelEntry, from oldValue: Any?, to newValue: Any?) {
    keyValueRegistrar.didChange(entry.property, of: self, from: oldValue, to: newValue)
  }
}
