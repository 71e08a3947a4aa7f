/// An observable object that is notified when a key of it comes to be observed, and when it ceases to be.
///
/// An object that stands for a foreign one listens to that only while it has to, and keeps no values of
/// keys that no observer needs. Of the key, it makes no difference how it is observed: by itself, on a
/// key path, or as what the getter of a computed property was found to read (P70). A class conforms
/// beside `KeyValueObservable`, with the macro or without.
///
/// The two functions are called outside of locks, and in turns: ``didBecomeObserved(forKey:)`` first,
/// once for each key however many observers it has. They are called on the thread that registers, before
/// that reads the value of the key, and on the one that ends. Where another thread is inside of one of
/// them for the same key at that moment, the calls that are due follow on that thread; the last one
/// agrees with whether the key is observed. Neither is called once the object is being deallocated.
/// Both may read and set properties, and begin and end observations.
public protocol KeyValueSource: KeyValueObservable {
  /// The key has its first observer. Any thread may call it.
  func didBecomeObserved(forKey key: String)

  /// The key has lost its last observer. Any thread may call it.
  func didBecomeUnobserved(forKey key: String)
}
