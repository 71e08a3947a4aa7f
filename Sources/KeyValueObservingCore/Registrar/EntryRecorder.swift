/// Attaches to the entries of an object with dynamic keys, before each of them changes: to those that come later,
/// too.
class EntryRecorder {
  /// Whether it is still to attach to others.
  var isActive: Bool { false }

  /// Notes that an entry may be about to change.
  func entryWillChange(_ entry: KeyValueProperty, of subject: any KeyValueObservable) {}
}

extension ObservationContext {
  /// Adds one that is notified of all entries which are about to change.
  func add(_ recorder: EntryRecorder) {
    lock.withLock {
      let extras = madeExtrasLocked()
      extras.entryRecorders.removeAll { !$0.isActive }
      extras.entryRecorders.append(recorder)
    }
  }

  /// Those that were added, mostly none.
  var entryRecorders: [EntryRecorder] {
    @inline(__always) get {
      unmanagedExtras?._withUnsafeGuaranteedRef { $0.entryRecorders } ?? []
    }
  }

  /// Whether there are any.
  var hasEntryRecorders: Bool {
    @inline(__always) get {
      unmanagedExtras?._withUnsafeGuaranteedRef { !$0.entryRecorders.isEmpty } ?? false
    }
  }
}

extension KeyValueObservable {
  /// Lets those that record all entries attach to one that may be about to change.
  @inline(never)
  func recordEntry(_ entry: KeyValueProperty) {
    let context = observationContext
    let recorders = context.entryRecorders
    for recorder in recorders where recorder.isActive {
      recorder.entryWillChange(entry, of: self)
    }
    if recorders.allSatisfy(\.isActive) { return }
    context.lock.withLock {
      context.madeExtrasLocked().entryRecorders.removeAll { !$0.isActive }
    }
  }
}

extension KeyValueRegistrar {
  /// Whether the entries of the object are recorded.
  var hasEntryRecorders: Bool {
    @inline(__always) get {
      unmanagedContext?._withUnsafeGuaranteedRef { $0.hasEntryRecorders } ?? false
    }
  }
}
