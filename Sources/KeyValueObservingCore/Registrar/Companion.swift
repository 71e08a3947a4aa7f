extension KeyValueObservable {
  /// What is kept with the object, if anything is.
  ///
  /// The object keeps it until it dies, so that a module that has to find its observations again
  /// needs no table that all objects and threads share. There is one for each object.
  package var companion: AnyObject? {
    keyValueRegistrar.unmanagedContext?._withUnsafeGuaranteedRef { context in
      context.lock.withLock { context.companion }
    }
  }

  /// What is kept with the object, made if there is nothing yet. The same for every thread.
  package func companion<Companion: AnyObject & Sendable>(made make: () -> Companion) -> Companion {
    let made = make()
    let context = observationContext
    let kept = context.lock.withLock {
      if context.companion == nil, !context.isDead { context.companion = made }
      return context.companion
    }
    return kept as? Companion ?? made
  }
}
