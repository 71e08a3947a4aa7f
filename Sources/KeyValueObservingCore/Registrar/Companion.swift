extension KeyValueObservable {
  /// The associated object, if there is one.
  ///
  /// The observed object keeps it until it is deallocated, so that a module that has to find its
  /// observations again needs no table that all objects and threads share.
  package var companion: AnyObject? {
    keyValueRegistrar.unmanagedContext?._withUnsafeGuaranteedRef { context in
      context.lock.withLock { context.companion }
    }
  }

  /// The associated object, made if there is none yet.
  ///
  /// Every thread gets the same one. An object has one companion, so it is always requested with
  /// the same type.
  package func companion<Companion: AnyObject & Sendable>(made make: () -> Companion) -> Companion {
    if let companion = companion as? Companion { return companion }
    let made = make()
    let context = observationContext
    let kept = context.lock.withLock {
      if context.companion == nil, !context.isDead { context.companion = made }
      return context.companion
    }
    return kept as? Companion ?? made
  }
}
