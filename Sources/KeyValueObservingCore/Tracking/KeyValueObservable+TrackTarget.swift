extension KeyValueObservable {
  // swift-format-ignore: NoLeadingUnderscores
  /// Watches the object in a weak property that the module `Observation` may track: its
  /// deallocation then notifies that module's registrar.
  ///
  /// Guarantee: P95.
  ///
  /// Only expansions of macros call it.
  ///
  /// It is called with every read of the property, because no function returns whether a read is
  /// tracked. The object has to be observable itself, as everywhere (P27).
  ///
  /// - Parameters:
  ///   - target: The object in the property.
  ///   - keyPath: The property.
  ///
  /// - Complexity: O(1) where the object is watched already.
  @_documentation(visibility: internal)
  public func _$track(target: AnyObject, at keyPath: PartialKeyPath<Self>) {
    guard let observable = observableObject(target), let property = ownProperty(at: keyPath)
    else { return }
    let targetContext = observable.observationContext
    let context = observationContext
    context.isTracked.store(true, ordering: .relaxed)
    let observedKey = context.makeObservedKey(named: property.name, isManual: isManual(property))
    let isWatched = context.lock.withLock {
      observedKey.state.extras?.targets.isWatching(targetContext) == true
    }
    if isWatched { return }
    // To read the property comes here again, and finds that the object is watched.
    ThreadState.pauseRecording {
      _ = WeakTargetObservation.watch(target, for: property, in: observedKey, of: self) {
        property.value(of: self).map { $0 as AnyObject }
      }
    }
  }

  private func isManual(_ property: KeyValueProperty) -> Bool {
    PropertyTable.of(type(of: self)).isManual(property.name)
  }
}
