/// An observable object that is notified when one of its keys becomes observed, and when it ceases
/// to be, and of a transaction that sets it.
///
/// An object that represents a foreign one can watch a key only while that is observed, and need
/// not keep the former value of any other. It makes no difference how the key is observed: by
/// itself, along a key path, or as an automatically tracked dependency of a computed property
/// (P70). Classes with the macro can be sources as well.
///
/// ``didBecomeObserved(forKey:)`` and ``didBecomeUnobserved(forKey:)`` are called with no lock held, alternately,
/// beginning with the first, and once for each key however many observers it has: on the
/// thread that registers, before the value of the key is read for that, and on the thread that
/// ends. If a call is due while another one for the same key is running, it follows when that has
/// returned, on the thread of the running call, and the registration or the end that caused it does
/// not wait (P71). The last call corresponds to whether the key is observed. Neither is called when
/// the object is being deallocated. Both may read and set properties, and begin and end
/// observations. A source whose conformance is isolated to a global actor is notified of these there, later
/// if an observation that belongs to the actor ends elsewhere. Of a transaction on another thread it is not notified.
public protocol KeyValueSource: KeyValueObservable {
  /// Begins to listen to a key, which has its first observer.
  ///
  /// - Parameter key: The key as ``KeyValueObservable/keyValueProperty(forKey:)`` knows it.
  func didBecomeObserved(forKey key: String)

  /// Stops listening to a key, which has lost its last observer.
  ///
  /// - Parameter key: The key as ``KeyValueObservable/keyValueProperty(forKey:)`` knows it.
  func didBecomeUnobserved(forKey key: String)

  /// Begins to collect the notifications of the object that it represents, which a transaction is about to change.
  ///
  /// It is called on the thread of the transaction, before the first set of a key of the source through its
  /// registrar, observed or not, and again before values are put back (P74). No lock is held. Each call is followed by
  /// one of ``didChangeInTransaction()``, before the next one. Properties that it sets belong to the transaction. It
  /// does nothing unless the source implements it.
  func willChangeInTransaction()

  /// Delivers the notifications that were collected since the last call of ``willChangeInTransaction()``.
  ///
  /// It is called on the same thread, with no lock held, when the body of the outermost transaction has ended, before
  /// bindings write and before observers are called; and before a transaction inside that may be rolled back. Changes that the source reports meanwhile belong to the transaction. In a
  /// rollback it is called before values are put back and again after that; changes that the source reports then are
  /// put back as well (P74).
  func didChangeInTransaction()
}

extension KeyValueSource {
  /// Does nothing.
  public func willChangeInTransaction() {}

  /// Does nothing.
  public func didChangeInTransaction() {}
}
