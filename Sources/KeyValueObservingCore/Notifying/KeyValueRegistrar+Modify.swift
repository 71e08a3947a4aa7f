public import CKeyValueObserving

extension KeyValueRegistrar {
  /// Begins a mutation in place, and sends prior notifications on this thread.
  ///
  /// Call it from a `_modify` accessor, if ``isObserved`` is true. Pass its result to
  /// `didModify(_:of:read:)`, also when the mutation throws: until then no observer is notified of
  /// the change, and the closures of observations that end in between are not released.
  ///
  /// - Parameters:
  ///   - key: The name of the property, which the class has to list with the type of its values.
  ///   - subject: The object with the property.
  ///   - read: Reads the property. It is called only if an observer has requested the old value.
  /// - Returns: The state of the mutation, to be passed to `didModify`.
  ///
  /// - Complexity: O(*n*) in the number of observers with prior notifications, and of dependents.
  @_alwaysEmitIntoClient
  @inline(__always)
  public func willModify<Subject: KeyValueObservable, Value>(
    _ key: StaticString, of subject: Subject, read: () -> Value
  ) -> KeyValueModification<Value> {
    if Self.isDebugging { checkType(Value.self, ofValuesOf: key, in: subject) }
    return _$willModify(key, in: subject, read: { _ in read() })
  }

  // swift-format-ignore: NoLeadingUnderscores
  /// Begins a mutation in place, as `willModify(_:of:read:)` does, with a closure that is passed
  /// the object.
  ///
  /// Accessors that the macro writes call it.
  ///
  /// `subject` has to be the object with this registrar. Pass its result to
  /// `_$didModify(_:in:read:)`, also when the mutation throws, with the same object.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  public func _$willModify<Value>(
    _ key: StaticString, in subject: AnyObject, read: (AnyObject) -> Value
  ) -> KeyValueModification<Value> {
    beginModification(KeyName(key), of: subject, read: read, again: read)
  }

  // Out of line, and without knowing the class, as `setValue` is.
  //
  // The compiler copies a function for the closure that it is called with, but not if it is called
  // with two. So this one takes its closure twice, and needs it once: a fifth of a class were such
  // copies (row: build).
  @inlinable
  @inline(never)
  @_specialize(exported:true,where Value == String)
  @_specialize(exported:true,where Value == String?)
  func beginModification<Value>(
    _ name: KeyName, of subject: AnyObject, read: (AnyObject) -> Value,
    again _: (AnyObject) -> Value
  ) -> KeyValueModification<Value> {
    if let transaction = Transaction.current(of: subject) {
      transaction.willMutate(name, in: unmanagedContext, of: subject) { ValueBox(read(subject)) }
      return KeyValueModification(
        delivery: nil, old: nil, beginMutation(of: name, number: transaction.number))
    }
    return Delivery.withMemory { delivery in
      guard beginAndCapture(delivery, of: subject, name) else {
        return KeyValueModification(delivery: nil, old: nil, beginMutation(of: name))
      }
      let old = delivery.oldValueAfterPriors { read(subject) }
      return KeyValueModification(
        delivery: delivery.pointee, old: old,
        // A key path that ends in the property, and leads elsewhere meanwhile, reports the old value.
        beginMutation(
          of: name, number: delivery.pointee.number, isDelivered: true,
          from: delivery.requires(.root) ? old.map { ValueBox($0) } : nil))
    }
  }

  /// Notes that a property is being mutated in place, so that nothing reads it until it is not.
  @usableFromInline
  func beginMutation(
    of name: KeyName, number: UInt64 = 0, isDelivered: Bool = false,
    from old: consuming AnyValueBox? = nil
  ) -> InPlaceMutation? {
    guard let context = unmanagedContext else { return nil }
    return InPlaceMutation(
      of: name, in: context, number: number, isDelivered: isDelivered, old: old)
  }

  /// Ends a mutation in place and notifies the observers of the property, as a setter does, on this
  /// thread.
  ///
  /// - Parameters:
  ///   - modification: The result of `willModify(_:of:read:)` for the same object. It ends with
  ///     this call; another call with it does nothing.
  ///   - subject: The object with the property.
  ///   - read: Reads the property. It is called only if an observer has requested the new value.
  ///
  /// - Complexity: O(*n*) in the number of observers of the property.
  @inlinable
  @inline(__always)
  public func didModify<Subject: KeyValueObservable, Value>(
    _ modification: borrowing KeyValueModification<Value>, of subject: Subject, read: () -> Value
  ) {
    _$didModify(modification, in: subject, read: { _ in read() })
  }

  // swift-format-ignore: NoLeadingUnderscores
  /// Ends a mutation in place that `_$willModify(_:in:read:)` has begun, and notifies the observers
  /// of the property, as a setter does, on this thread.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  public func _$didModify<Value>(
    _ modification: borrowing KeyValueModification<Value>, in subject: AnyObject,
    read: (AnyObject) -> Value
  ) {
    modification.end(subject, read: read, again: read)
  }

  // swift-format-ignore: NoLeadingUnderscores
  /// The same for a property whose own `willSet` or `didSet` may have registered observers.
  ///
  /// An object that had never been observed looks observed while another thread has a transaction open.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  public func _$didModify<Value>(
    _ modification: borrowing KeyValueModification<Value>, in subject: AnyObject,
    observing key: StaticString, read: (AnyObject) -> Value
  ) {
    modification.end(subject, read: read, again: read)
    if modification.mutation == nil { catchUp(KeyName(key)) }
  }
}

// Not consumed by `didModify`, which is called in a `defer`, since nothing else runs where the mutation
// throws: Swift does not let a `defer` consume a variable around it. So it notes when it has ended.
/// A mutation in place that has begun, from `willModify` to `didModify`.
public struct KeyValueModification<Value>: ~Copyable {
  @usableFromInline
  let delivery: Delivery?
  @usableFromInline
  let old: Value?
  /// The last change that the thread had begun when it began.
  @usableFromInline
  let lastChange: UInt64

  /// The mutation in progress; nil if the object has never been observed.
  @usableFromInline
  let mutation: InPlaceMutation?

  // Specialized, because it has optionals of the value (row: edit by proxy).
  @inlinable
  init(delivery: Delivery?, old: Value?, _ mutation: InPlaceMutation?) {
    self.delivery = delivery
    self.old = old
    self.mutation = mutation
    lastChange = kvo_thread().unsafelyUnwrapped.pointee.last_change
  }

  // It takes its closure twice as `beginModification` does.
  @inlinable
  @inline(never)
  @_specialize(exported:true,where Value == String)
  @_specialize(exported:true,where Value == String?)
  borrowing func end(
    _ subject: AnyObject, read: (AnyObject) -> Value, again _: (AnyObject) -> Value
  ) {
    guard let mutation, mutation.endAndDeliverDerivedChanges() else { return }
    if var delivery {
      let old = old
      withUnsafeMutablePointer(to: &delivery) { delivery in
        delivery.dropDetached(since: lastChange)
        delivery.complete(old, delivery.value(for: .new) { read(subject) })
      }
    }
    mutation.notifyOfDeallocations()
  }
}
