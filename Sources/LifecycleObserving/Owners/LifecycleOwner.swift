/// An object that has a lifecycle, such as a screen.
///
/// Store a ``Lifecycle`` and move it where the toolkit notifies of the moments. A class of the main
/// actor conforms on the main actor, as `final class Screen: @MainActor LifecycleOwner`.
public protocol LifecycleOwner: AnyObject {
  /// The lifecycle of the object: the same for the object's whole life.
  var lifecycle: Lifecycle { get }
}

extension LifecycleOwner {
  /// Adds an observer of the lifecycle's moments.
  ///
  /// It is notified of each moment that follows, on the thread or actor on which the lifecycle moves,
  /// after the observers that were added before it. Added late, it is notified of the moments that have
  /// led to the present phase before this returns, one by one (P81). An observer that is added
  /// twice is there once.
  ///
  /// The observer is retained until it is removed or the lifecycle ends, unless it is the owner itself.
  /// After the end it is not added, and one diagnostic is reported.
  ///
  /// - Parameter observer: The object to notify.
  ///
  /// - Complexity: O(*n*) in the number of observers.
  public func addLifecycleObserver(_ observer: any LifecycleObserver) {
    lifecycle.add(observer, of: OwnerReference(self), isOwner: observer === self)
  }

  /// Removes an observer, which is notified of no further moment.
  ///
  /// It does nothing if it is not there.
  ///
  /// It may be called in any callback. An observer that is removed while a moment is delivered does not
  /// receive it if its turn has not come (P13).
  ///
  /// - Parameter observer: The object to remove.
  ///
  /// - Complexity: O(*n*) in the number of observers.
  public func removeLifecycleObserver(_ observer: any LifecycleObserver) {
    lifecycle.remove(observer)
  }
}
