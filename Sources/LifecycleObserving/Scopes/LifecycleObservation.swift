/// An observation that is registered while an owner is in a span of its lifecycle.
///
/// The lifecycle keeps it, so it need not be stored: unlike a `KeyValueObservation` it does not end when
/// its last reference is dropped. It ends with the lifecycle, with the owner, when the observed object is
/// gone, or when it is invalidated. Use it where its owner is used.
public final class LifecycleObservation {
  /// The span during which the observation is registered.
  public let span: Lifecycle.Span

  /// Registers. Nil once this has ended.
  private var register: ((Stay) -> Registration)?
  /// The present stay in the span, nil outside.
  private var stay: Stay?
  /// Ends what was registered for the stay.
  private var unregister: (() -> Void)?
  /// The lifecycle that keeps this.
  private weak var lifecycle: Lifecycle?

  /// What came of registering.
  enum Registration {
    /// Something is registered until the closure is called.
    case registered(end: () -> Void)
    /// There is nothing to observe this time.
    case nothing
    /// There will never be anything to observe again.
    case gone
    /// The owner is gone.
    case ownerIsGone(Any.Type)
  }

  init(
    _ span: Lifecycle.Span, in lifecycle: Lifecycle, register: @escaping (Stay) -> Registration
  ) {
    self.span = span
    self.lifecycle = lifecycle
    self.register = register
  }

  /// Ends the observation, within its span or outside. It does nothing if it has ended.
  ///
  /// It may be called in any callback. Afterwards the handler is not called again (P31), also not for
  /// changes that are to be delivered later, and it is released.
  ///
  /// Complexity: O(*n*) in the number of observations that the lifecycle keeps.
  public func invalidate() {
    if isEnded { return }
    let released = register
    register = nil
    leave()
    lifecycle?.forget(self)
    withExtendedLifetime(released) {}
  }

  var isEnded: Bool { register == nil }

  /// Registers, unless this is done or has ended.
  func begin() {
    guard let register, stay == nil else { return }
    let stay = Stay()
    self.stay = stay
    switch register(stay) {
    case .registered(let end):
      // A callback of the initial change may have ended it.
      if stay.isOver { end() } else { unregister = end }
    case .nothing: break
    case .gone: invalidate()
    case .ownerIsGone(let type):
      lifecycle?.ownerIsGone(type)
      invalidate()
    }
  }

  /// Ends what is registered.
  func leave() {
    stay?.end()
    stay = nil
    let end = unregister
    unregister = nil
    end?()
  }
}
