extension KeyValueObservable {
  /// Reads the value at a key path, nil where the path unwraps an intermediate object that is nil.
  ///
  /// Evaluating such a path stops the program there.
  @inlinable
  package func presentValue<Value>(at keyPath: KeyPath<Self, Value>) -> Value? {
    if let value = valueBehindNil(at: keyPath) { return value }
    return self[keyPath: keyPath]
  }

  // Not a function that returns the value, whose optional takes long where its type is not known; and a property
  // has a value without being looked up (row: values(of:)).
  /// Calls a closure with the value at a key path, if there is one, each time it is called.
  @inlinable
  static func reader<Value>(
    of keyPath: KeyPath<Self, Value>
  ) -> (Self, (Value) -> Void) -> Void {
    if KnownKeyPath.of(keyPath, from: Self.self).property != nil {
      return { $1($0[keyPath: keyPath]) }
    }
    return { if let value = $0.presentValue(at: keyPath) { $1(value) } }
  }

  /// The value at a key path on which an intermediate object is nil, if it has one there; nil for any other path.
  @usableFromInline
  func valueBehindNil<Value>(at keyPath: KeyPath<Self, Value>) -> Value?? {
    guard let plan = planUnwrapping(keyPath), plan.keyOfNil(from: self) != nil else { return nil }
    // A value or nil in an optional that is not nil.
    return .some(withAddress(in: plan.none) { $0?.assumingMemoryBound(to: Value.self).pointee })
  }

  /// The key of the property that is nil on a key path, nil if there is none.
  func keyOfNil(on keyPath: PartialKeyPath<Self>) -> String? {
    planUnwrapping(keyPath)?.keyOfNil(from: self)
  }

  /// The plan of a key path, if that is known, or unwraps optionals.
  private func planUnwrapping(_ keyPath: AnyKeyPath) -> KeyPathPlan? {
    let known = KnownKeyPath.of(keyPath, from: Self.self)
    if known.property != nil { return nil }
    return known.plan?.takeUnretainedValue()
      ?? KeyPathDecomposer.unwrappingPlan(of: keyPath, from: Self.self)
  }

  /// The whole value after a change at a key path, where that was requested; nil where the path unwraps an
  /// intermediate object that is nil.
  @inlinable
  package func wholeValue<Value>(
    of change: KeyValueChange<Value>, at keyPath: KeyPath<Self, Value>
  ) -> Value? {
    change.wholeValue(presentValue(at: keyPath))
  }
}
