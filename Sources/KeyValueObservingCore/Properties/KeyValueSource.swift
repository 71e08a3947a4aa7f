/// An observable object that is notified when one of its keys becomes observed, and when it ceases
/// to be.
///
/// An object that represents a foreign one can watch a key only while that is observed, and need
/// not keep the former value of any other. It makes no difference how the key is observed: by
/// itself, along a key path, or as an automatically tracked dependency of a computed property
/// (P70). Classes with the macro can be sources as well.
///
/// Both functions are called with no lock held, alternately, beginning with
/// ``didBecomeObserved(forKey:)``, and once for each key however many observers it has: on the
/// thread that registers, before the value of the key is read for that, and on the thread that
/// ends. If a call is due while another one for the same key is running, it follows when that has
/// returned, on the thread of the running call, and the registration or the end that caused it does
/// not wait (P71). The last call corresponds to whether the key is observed. Neither is called when
/// the object is being deallocated. Both may read and set properties, and begin and end
/// observations. A source whose conformance is isolated to a global actor is notified there, later
/// if an observation that belongs to the actor ends elsewhere.
public protocol KeyValueSource: KeyValueObservable {
  /// Begins to listen to a key, which has its first observer.
  ///
  /// - Parameter key: The key as ``KeyValueObservable/keyValueProperty(forKey:)`` knows it.
  func didBecomeObserved(forKey key: String)

  /// Stops listening to a key, which has lost its last observer.
  ///
  /// - Parameter key: The key as ``KeyValueObservable/keyValueProperty(forKey:)`` knows it.
  func didBecomeUnobserved(forKey key: String)
}
