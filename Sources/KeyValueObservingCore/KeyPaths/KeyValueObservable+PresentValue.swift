extension KeyValueObservable {
  /// Reads the value at a key path, nil where the path unwraps an intermediate object that is nil.
  ///
  /// Evaluating such a path stops the program there, so it is followed from object to object.
  @inlinable
  package func presentValue<Value>(at keyPath: KeyPath<Self, Value>) -> Value? {
    guard let box = valueByPlan(at: keyPath) else { return self[keyPath: keyPath] }
    return box.address?.assumingMemoryBound(to: Value.self).pointee
  }

  // Not a function that returns the value: its optional takes long where the type is not known (row: values(of:)).
  /// A function that reads the value at a key path, and calls a closure with it if there is one.
  @inlinable
  static func reader<Value>(
    of keyPath: KeyPath<Self, Value>
  ) -> (Self, (Value) -> Void) -> Void {
    if !hasPlan(keyPath) { return { $1($0[keyPath: keyPath]) } }
    return { if let value = $0.presentValue(at: keyPath) { $1(value) } }
  }

  /// The whole value after a change at a key path, where that was requested; nil where the path unwraps an
  /// intermediate object that is nil.
  @inlinable
  package func wholeValue<Value>(
    of change: KeyValueChange<Value>, at keyPath: KeyPath<Self, Value>
  ) -> Value? {
    change.wholeValue(presentValue(at: keyPath))
  }

  /// Reads the value by the plan of a key path; nil if no plan is known.
  @usableFromInline
  func valueByPlan(at keyPath: AnyKeyPath) -> AnyValueBox? {
    Self.plan(of: keyPath)?.value(from: self)
  }

  /// Whether the plan of a key path is known.
  @usableFromInline
  static func hasPlan(_ keyPath: AnyKeyPath) -> Bool { plan(of: keyPath) != nil }

  /// The key of the property that is nil on a key path, nil if there is none.
  func keyOfNil(on keyPath: PartialKeyPath<Self>) -> String? {
    Self.plan(of: keyPath)?.keyOfNil(from: self)
  }

  /// The plan of a key path of several keys, as far as it is known without reading it.
  private static func plan(of keyPath: AnyKeyPath) -> KeyPathPlan? {
    KnownKeyPath.of(keyPath, from: Self.self).property == nil
      ? KeyPathDecomposer.planUnread(of: keyPath, from: Self.self) : nil
  }
}
