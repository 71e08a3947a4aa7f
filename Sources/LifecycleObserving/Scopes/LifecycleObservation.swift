internal import KeyValueObservingCore

/// An observation that is registered while an owner is in a span of its lifecycle.
///
/// The lifecycle keeps it, so it need not be stored: unlike a `KeyValueObservation` it does not end when
/// its last reference is dropped. It ends with the lifecycle, with the owner, when the observed object is
/// gone, or when it is invalidated. Use it where its owner is used.
public final class LifecycleObservation {
  /// The span during which the observation is registered.
  public let span: Lifecycle.Span

  // Guarded by a lock, since the owner, and its lifecycle with it, may be deallocated on another thread.
  private let lock = Lock()
  private var state: State
  /// The lifecycle that keeps this.
  private weak let lifecycle: Lifecycle?
  /// The object that is observed, unless a closure returns it.
  private let subject: WeakReference?

  private struct State {
    /// Registers.
    ///
    /// Nil once this has ended.
    var register: ((Stay) -> Registration)?
    /// The present stay in the span, nil outside.
    var stay: Stay?
    /// The registration for the stay.
    var registered: Registered?

    /// Takes what is registered.
    mutating func takeStay() -> State {
      defer { (stay, registered) = (nil, nil) }
      return State(stay: stay, registered: registered)
    }
  }

  /// The result of registering.
  enum Registration {
    /// Something is registered.
    case registered(Registered)
    /// There is nothing to observe this time.
    case nothing
    /// There will never be anything to observe again.
    case gone
    /// The owner is gone.
    case ownerIsGone(Any.Type)
  }

  struct Registered {
    /// Is called at each move inside the span.
    var update: () -> Void = {}
    /// Ends it.
    let end: () -> Void
  }

  init(
    _ span: Lifecycle.Span, in lifecycle: Lifecycle, subject: WeakReference? = nil,
    register: @escaping (Stay) -> Registration
  ) {
    self.span = span
    self.lifecycle = lifecycle
    self.subject = subject
    state = State(register: register)
  }

  /// Ends the observation, within its span or outside.
  ///
  /// It does nothing if it has ended.
  ///
  /// It may be called in any callback. Afterwards the handler is not called again (P31), also not for
  /// changes that are to be delivered later, and it is released.
  ///
  /// - Complexity: O(*n*) in the number of observations that the lifecycle keeps.
  public func invalidate() {
    if !isActive { return }
    lifecycle?.forget(self)
    end()
  }

  /// Ends the observation, which the lifecycle keeps no longer.
  func end() {
    let released = lock.withLock { state.register.take() }
    leave()
    withExtendedLifetime(released) {}
  }

  /// Whether there will never be anything to observe again, though the observation has not ended.
  var isOrphaned: Bool { subject.map { $0.target == nil } ?? false }

  /// Whether the observation lasts: inside its span it is registered, and outside it will be again.
  ///
  /// It is false once the observation has been invalidated, the lifecycle has ended, or the owner or the
  /// observed object was found to be deallocated.
  ///
  /// - Complexity: O(1).
  public var isActive: Bool { lock.withLock { state.register != nil } }

  /// Registers at the first move inside the span, unless this has ended.
  func enter() {
    let stay = Stay()
    let former = lock.withLock {
      let former = state
      if state.register != nil, state.stay == nil { state.stay = stay }
      return former
    }
    guard let register = former.register else { return }
    if former.stay != nil { return former.registered?.update() ?? () }
    switch register(stay) {
    case .registered(let registered):
      // A callback of the initial change may have ended the stay, and then the registration ends with its token.
      lock.withLock { if state.stay === stay { state.registered = registered } }
    case .nothing: break
    case .gone: invalidate()
    case .ownerIsGone(let type):
      lifecycle?.ownerIsGone(type)
      invalidate()
    }
  }

  /// Ends what is registered.
  func leave() {
    let former = lock.withLock { state.takeStay() }
    former.stay?.end()
    former.registered?.end()
  }
}
