/// An observable object that is notified when a key of it comes to be observed, and when it ceases to be.
///
/// An object that stands for a foreign one listens to a key only while that is observed, and keeps no
/// former value of any other. It makes no difference how the key is observed: by itself, along a key
/// path, or as what the getter of a computed property was found to read (P70). Classes with the macro can
/// be sources as well.
///
/// Both functions are called with no lock held, in turns, beginning with ``didBecomeObserved(forKey:)``,
/// and once for each key however many observers it has: on the thread that registers, before the value of
/// the key is read for that, and on the thread that ends. Where a call is due while another one of the same
/// key is running, it follows when that has returned, on the thread that it runs on, and the registration or
/// the end that it is due for does not wait for it (P71). The last call says whether the key is observed.
/// Neither is called when the object is being deallocated. Both may read and set properties, and begin and
/// end observations. A source whose conformance is isolated to a global actor is notified there, later if
/// an observation that belongs to the actor ends elsewhere.
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
