internal import KeyValueObservingCore

/// A reference to an owner that does not retain it.
struct OwnerReference {
  let type: Any.Type
  private let reference: WeakReference
  // A closure that knows the class: casting an object to the protocol takes long, and fails if its
  // conformance belongs to an actor that is not running.
  private let restore: (AnyObject) -> any LifecycleOwner

  init<Owner: LifecycleOwner>(_ owner: Owner) {
    type = Swift.type(of: owner)
    reference = WeakReference(owner)
    restore = { unsafeDowncast($0, to: Owner.self) }
  }

  /// The owner, nil once its end has begun.
  var target: (any LifecycleOwner)? { reference.target.map(restore) }
}
