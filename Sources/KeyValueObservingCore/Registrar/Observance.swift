/// Notifies a source of whether a key of it is observed.
///
/// The key keeps it. A thread that changes whether the key is observed asks it to notify the source, outside
/// of every lock.
final class Observance: @unchecked Sendable {  // guarded by the lock of the key's context
  private unowned(unsafe) let observedKey: ObservedKey
  private let key: String
  private let source: WeakReference
  private let sourceType: any KeyValueSource.Type
  /// The global actor on which the key was first observed, if any: the source may be isolated to
  /// it.
  private let queue = ActorQueue.currentGlobal
  /// The state of which the source was notified last.
  private var isObserved = false
  /// Whether a thread is notifying the source, and will do so again if that is not up to date.
  private var isNotifying = false

  init(of observedKey: ObservedKey, in source: AnyObject, _ type: any KeyValueSource.Type) {
    self.observedKey = observedKey
    key = observedKey.name.key
    self.source = WeakReference(source)
    sourceType = type
  }

  /// Notifies the source until what it was notified of agrees with the observed key.
  ///
  /// The caller retains the context of the observed key until this is called.
  func notifyUntilCurrent() {
    guard let source = source.target else { return }
    let context = observedKey.context
    if let queue, !queue.isOnActor, isOffItsActor(source) {
      return queue.schedule { withExtendedLifetime(context) { self.notifyUntilCurrent() } }
    }
    while context.lock.withLock({ beginNotifying() }) {
      ThreadState.pauseRecording { notify(source) }
      context.lock.withLock { isNotifying = false }
    }
  }

  private func beginNotifying() -> Bool {
    if isNotifying || isObserved == observedKey.state.isObserved { return false }
    isObserved.toggle()
    isNotifying = true
    return true
  }

  private func notify(_ source: AnyObject) {
    func call<Source: KeyValueSource>(_: Source.Type) {
      let source = unsafeDowncast(source, to: Source.self)
      // Changed by no other thread meanwhile.
      if isObserved {
        source.didBecomeObserved(forKey: key)
      } else {
        source.didBecomeUnobserved(forKey: key)
      }
    }
    call(sourceType)
  }
}

extension ObservedKey {
  /// Lets a source know that its key is observed, from now on whenever that changes.
  func beginObservance(of source: AnyObject, as type: any KeyValueSource.Type) {
    let observance = context.lock.withLock {
      let extras = state.madeExtras()
      let observance = extras.observance ?? Observance(of: self, in: source, type)
      extras.observance = observance
      return observance
    }
    observance.notifyUntilCurrent()
  }
}
