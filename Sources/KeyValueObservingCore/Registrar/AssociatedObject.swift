extension KeyValueObservable {
  /// The associated object, if there is one.
  ///
  /// The observed object keeps it until it is deallocated, so that a module that has to find its
  /// observations again needs no table that all objects and threads share.
  package var associatedObject: AnyObject? {
    keyValueRegistrar.unmanagedContext?._withUnsafeGuaranteedRef { context in
      context.lock.withLock { context.associatedObject }
    }
  }

  /// The associated object, made if there is none yet.
  ///
  /// Every thread gets the same one. An object has one associated object, so it is always requested with
  /// the same type.
  package func associatedObject<AssociatedObject: AnyObject & Sendable>(
    made make: () -> AssociatedObject
  ) -> AssociatedObject {
    if let associatedObject = associatedObject as? AssociatedObject { return associatedObject }
    let made = make()
    let context = observationContext
    let kept = context.lock.withLock {
      if context.associatedObject == nil, !context.isDeallocated { context.associatedObject = made }
      return context.associatedObject
    }
    return kept as? AssociatedObject ?? made
  }
}
