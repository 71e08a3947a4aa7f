extension KeyValueObservable {
  // A closure of two parameters for the value of a property that is a pair goes on taking the pair.
  /// Calls a closure with the old and the new value after each change of a property or key path.
  ///
  /// ```swift
  /// let token = article.onChange(of: \.title, initial: true) { oldTitle, newTitle in
  ///   print(oldTitle, "→", newTitle)
  /// }
  /// ```
  ///
  /// The closure is called synchronously, on the thread that makes the change and before its setter
  /// returns; observers of one property are called in the order in which they were attached to it.
  /// Registered on an actor it is called on that actor. The observation lasts until the returned token
  /// is invalidated or deinitialized, or the object is deallocated; it retains no object.
  ///
  /// If the property is a pair, a closure of two parameters receives the two parts of the new value, unless
  /// `initial` is passed.
  ///
  /// Both values are whole, also after an edit of a collection by proxy: the new one is the present
  /// collection, and the old one is that without the edit. If the collection has changed again before the
  /// closure is called, both show that, too. Both parameters are the new value
  /// if the old one is not known: in the initial call, as with `onChange(of:initial:_:)` of SwiftUI, and
  /// after the deallocation of an object that was not retained; and if a key path that unwraps an object
  /// had no value. It is not called where such a path has no value now (P26).
  ///
  /// - Parameters:
  ///   - keyPath: The property or path to observe.
  ///   - initial: Whether to call the closure with the present value before this returns.
  ///   - isolation: The actor to which the observation belongs: the caller's, if there is one.
  ///     Passing nil takes a `@Sendable` closure.
  ///   - perform: Receives the value before the change and the value after it.
  /// - Returns: The token of the observation. Discarding it ends the observation immediately.
  /// - Complexity: O(1) for a property, O(*n*) for a path of *n* links. After an edit by proxy, the old
  ///   collection is made anew, in O(*m*) for *m* elements.
  @_disfavoredOverload
  @inlinable
  public func onChange<Value>(
    of keyPath: KeyPath<Self, Value>, initial: Bool = false,
    isolation: isolated (any Actor)? = #isolation,
    perform: @escaping (_ oldValue: Value, _ newValue: Value) -> Void
  ) -> KeyValueObservation {
    observe(
      keyPath, options: initial ? [.old, .new, .initial] : [.old, .new], isolation: isolation
    ) { subject, change in
      guard let newValue = subject.wholeValue(of: change, at: keyPath) else { return }
      perform(change.wholeOldValue(before: newValue) ?? newValue, newValue)
    }
  }

  /// Calls a closure that any thread may call with the old and the new value after each change of a
  /// property or key path.
  ///
  /// The closure is called on the thread that makes the change and belongs to no actor, wherever this is
  /// called. Everything else is as with a closure that belongs to an actor.
  ///
  /// - Parameters:
  ///   - keyPath: The property or path to observe.
  ///   - initial: Whether to call the closure with the present value before this returns.
  ///   - isolation: `nil`.
  ///   - perform: Receives the value before the change and the value after it.
  /// - Returns: The token of the observation. Discarding it ends the observation immediately.
  /// - Complexity: As without `isolation`.
  @_disfavoredOverload
  @inlinable
  public func onChange<Value>(
    of keyPath: KeyPath<Self, Value>, initial: Bool = false, isolation: KeyValueNonisolated?,
    perform: @escaping @Sendable (_ oldValue: Value, _ newValue: Value) -> Void
  ) -> KeyValueObservation {
    onChange(of: keyPath, initial: initial, perform: perform)
  }
}

extension KeyValueChange {
  /// The value before the change, if it is known, where `old` and `new` were requested.
  ///
  /// - `newValue`: The value after the change. A change of some elements holds no others, and is
  ///   undone in it.
  /// - Returns: The value, or nil if it is not known.
  @inlinable
  func wholeOldValue(before newValue: Value) -> Value? {
    kind == .setting ? oldValue : undone(in: newValue)
  }

  @usableFromInline
  func undone(in newValue: Value) -> Value? {
    guard let collection = flatten(newValue) as? any ElementwiseChangeable else { return nil }
    let former = collection.changed(
      kind.inverse, at: indexes, from: self.newValue.flatMap { flatten($0) },
      to: oldValue.flatMap { flatten($0) })
    // Unwrapped first, since a nil that is cast to `Any?` is a value that is nil.
    return former.flatMap { $0 as? Value }
  }
}
