/// A lifecycle observer of one owner.
final class ObserverRegistration {
  let owner: OwnerReference
  private let retained: (any LifecycleObserver)?
  private weak var ownObserver: (any LifecycleObserver)?
  var isRemoved = false
  /// The move to the phase of which it was notified when it was added.
  var moveNumber = 0

  /// An owner that observes itself is not retained: its lifecycle would keep it alive.
  init(_ observer: any LifecycleObserver, of owner: OwnerReference, isOwner: Bool) {
    self.owner = owner
    retained = isOwner ? nil : observer
    if isOwner { ownObserver = observer }
  }

  var observer: (any LifecycleObserver)? { retained ?? ownObserver }
}
