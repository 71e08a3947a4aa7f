internal import Synchronization

// Observed computed keys whose getters read nothing that can be observed.
//
// A getter that reads a manually notified property depends on it only if the getter of that property
// calls `access(_:of:)`. Without this call, or a declared dependency, the key changes and its observers
// are not notified. Its values show it, so they are compared after each mutation block of another key (P7),
// but only in programs that report diagnostics: the getter is not asked for by the program.
extension KeyValueObservable {
  /// Reports the keys that have another value than before and were not notified manually, once for each.
  ///
  /// Not within a mutation block or a mutation in place, during which a getter may not be called.
  func reportUnseenChanges(by property: KeyValueProperty) {
    guard let context = contextWithUnseenKeys, KeyValueDiagnostics.isEnabled,
      ThreadState.current.pointee.mutation_block == nil, InPlaceMutation.outermost == nil
    else { return }
    for key in context.computedKeys where key.hasUnseenChange(in: self) {
      key.isNotifiedManually.store(true, ordering: .relaxed)
      KeyValueDiagnostics.report(
        .untrackedRead(type: type(of: self), key: key.property.key, of: property.key))
    }
  }

  /// Keeps the value of a key whose changes no observer would be notified of.
  func noteUnseenKey(_ key: ComputedKey) {
    guard key.isUnseen, !key.hasUnseenChange(in: self) else { return }
    observationContext.mayHaveUnseenKeys.store(true, ordering: .relaxed)
  }

  /// Notes that a key is notified manually: then nothing is missing if its getter reads nothing.
  func noteManualNotification(of property: KeyValueProperty) {
    contextWithUnseenKeys?.computedKeys.first { $0.property.name == property.name }?
      .isNotifiedManually.store(true, ordering: .relaxed)
  }

  private var contextWithUnseenKeys: ObservationContext? {
    guard let context = existingContext,
      context._withUnsafeGuaranteedRef({ $0.mayHaveUnseenKeys.load(ordering: .relaxed) })
    else { return nil }
    return context.takeUnretainedValue()
  }
}

extension ComputedKey {
  /// Whether its getter reads nothing that can be observed, nothing is declared instead, and its values can
  /// be compared.
  fileprivate var isUnseen: Bool {
    property.kind == .computed && dependencies.isEmpty && isReady && !isAttached && !hasEnded
      && !ownKey.isManual && !isNotifiedManually.load(ordering: .relaxed)
      && unwrappedType(property.valueType) is any Equatable.Type
  }

  /// Whether the value is another one than the last that this has seen.
  ///
  /// Values that may hold objects are not kept, and so not compared (P5).
  fileprivate func hasUnseenChange(in subject: some KeyValueObservable) -> Bool {
    guard isUnseen else { return false }
    let current = ThreadState.pauseRecording { property.box(of: subject) }
    guard current.holdsNoObject,
      let former = lock.withLock({ exchange(&lastSeenValue, with: current) })
    else { return false }
    return equality(of: Any?.self)?(value(in: former), value(in: current)) == false
  }

  private func value(in box: AnyValueBox) -> Any? {
    withAddress(in: box) { $0.flatMap { property.erase($0) } }
  }
}
