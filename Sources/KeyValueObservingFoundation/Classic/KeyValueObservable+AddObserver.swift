internal import KeyValueObservingCore

#if canImport(ObjectiveC)
  public import Foundation
#endif

extension KeyValueObservable {
  // The last parameter is never passed: with fewer parameters than the last overload has, this
  // one would be preferred to that for `isolation: nil`. A disfavored one would be hidden by functions
  // of `NSObject` that are disfavored as well.
  /// Adds an observer that receives changes in `observeValue(forKeyPath:of:change:context:)`.
  ///
  /// The observer is called synchronously after each change, on the thread that makes it and before
  /// its setter returns (P8), in the order in which observers were attached (P10); if it is added
  /// on an actor, on that actor (P40). With `initial`, it is called before this function returns,
  /// and may remove itself then.
  ///
  /// Neither the object nor the observer is retained (P5). The observer stops receiving changes
  /// when it is removed or when either object is deallocated; it is not notified of that. An
  /// observer may be added any number of times, and is called as many times (P4).
  ///
  /// A key path that cannot work adds nothing and reports a diagnostic (`KeyValueDiagnostics`).
  /// Apple's Foundation raises an exception, or never sends a notification.
  ///
  /// - Parameters:
  ///   - observer: The object to notify.
  ///   - keyPath: Keys, separated by dots.
  ///   - options: The entries of the change dictionary, and when to notify.
  ///   - context: A pointer that is passed to the observer with each change, and identifies the
  ///     registration when it is removed. It is not dereferenced.
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `Sendable` observer.
  ///   - overload: Never passed. It chooses between overloads.
  ///
  /// - Complexity: O(*n*) for *n* keys.
  public func addObserver(
    _ observer: some NSKeyValueObserving, forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer? = nil,
    isolation: isolated (any Actor)? = #isolation, _ overload: Void = ()
  ) {
    let registration = ClassicRegistration(of: observer, forKeyPath: keyPath, context: context)
    let observers = associatedObject { ClassicObservers() }
    // First, so that the first callback can find it.
    observers.insert(registration)
    do throws(KeyValueCodingError) {
      let token = try observe(
        keyPath, options: KeyValueObservation.Options(rawValue: options.rawValue),
        isolation: isolation
      ) { subject, change in
        if !registration.notify(subject, change) { subject.classicObservers?.remove(registration) }
      }
      registration.begin(token)
    } catch {
      observers.remove(registration)
      KeyValueDiagnostics.report(
        .observerNotAdded(
          observer: type(of: observer), subject: type(of: self), keyPath: keyPath, error: error))
    }
  }

  /// Adds an observer that any thread may notify.
  ///
  /// The observer is notified on the thread that makes the change, before its setter returns (P8), and
  /// the registration belongs to no actor.
  ///
  /// - Parameters:
  ///   - observer: The object to notify.
  ///   - keyPath: Keys, separated by dots.
  ///   - options: The entries of the change dictionary, and when to notify.
  ///   - context: A pointer that is passed to the observer and identifies the registration.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///
  /// - Complexity: O(*n*) for *n* keys.
  public func addObserver(
    _ observer: some NSKeyValueObserving & Sendable, forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer? = nil,
    isolation: KeyValueNonisolated?
  ) {
    addObserver(observer, forKeyPath: keyPath, options: options, context: context)
  }

  /// Adds an observer that is not `Sendable`, although any thread may notify it.
  ///
  /// - Parameters:
  ///   - observer: The object to notify.
  ///   - keyPath: Keys, separated by dots.
  ///   - options: The entries of the change dictionary, and when to notify.
  ///   - context: A pointer that is passed to the observer and identifies the registration.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  @available(*, deprecated, message: "An observer that any thread may notify is Sendable")
  public func addObserver(
    _ observer: sending some NSKeyValueObserving & SendableMetatype, forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer? = nil,
    isolation: (any KeyValueNonisolatedActor)?
  ) {
    addObserver(observer, forKeyPath: keyPath, options: options, context: context)
  }

  /// Adds an observer whose conformance is isolated to an actor, to which the registration belongs.
  ///
  /// Only code on that actor can pass such an observer, and no other thread may notify it.
  ///
  /// - Parameters:
  ///   - observer: The object to notify.
  ///   - keyPath: Keys, separated by dots.
  ///   - options: The entries of the change dictionary, and when to notify.
  ///   - context: A pointer that is passed to the observer and identifies the registration.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - caller: The actor on which the observer is notified: the caller's by default.
  @available(
    *, deprecated, message: "An observer with an isolated conformance belongs to its actor"
  )
  public func addObserver(
    _ observer: some NSKeyValueObserving, forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer? = nil,
    isolation: (any KeyValueNonisolatedActor)?, caller: isolated (any Actor)? = #isolation
  ) {
    addObserver(
      observer, forKeyPath: keyPath, options: options, context: context, isolation: caller)
  }

  /// Removes an observer that was added with a key path and a context.
  ///
  /// Of several such registrations the oldest ends. After this function returns on the thread that
  /// delivers a change, the registration is not called again; on another thread, at most a call
  /// that has already begun finishes (P31). It may be called on any thread, inside any callback and
  /// in the `deinit` of either object.
  ///
  /// Contexts are compared as addresses, and nil is a context like any other. If there is no such
  /// registration, nothing is removed and a diagnostic is reported (`KeyValueDiagnostics`). Apple's
  /// Foundation raises an exception.
  ///
  /// - Parameters:
  ///   - observer: The object to remove.
  ///   - keyPath: The key path with which the observer was added.
  ///   - context: The pointer with which the observer was added.
  ///
  /// - Complexity: O(*n*) in the number of times that the observer was added with the key path.
  public func removeObserver(
    _ observer: AnyObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    removeObserver(observer, keyPath, whose: "this context") { $0.context == context }
  }

  /// Removes an observer that was added with a key path and any context.
  ///
  /// Of several such registrations the oldest ends, with any context: if contexts matter, pass the
  /// one that is meant. For the rest it is like removing with a context.
  ///
  /// - Parameters:
  ///   - observer: The object to remove.
  ///   - keyPath: The key path with which the observer was added.
  ///
  /// - Complexity: O(*n*) in the number of times that the observer was added with the key path.
  public func removeObserver(_ observer: AnyObject, forKeyPath keyPath: String) {
    removeObserver(observer, keyPath, whose: "any context") { _ in true }
  }

  private func removeObserver(
    _ observer: AnyObject, _ keyPath: String, whose context: String,
    where fits: (ClassicRegistration) -> Bool
  ) {
    let key = ClassicRegistration.Key(observer: ObjectIdentifier(observer), keyPath: keyPath)
    if classicObservers?.removeFirst(at: key, where: fits) == true { return }
    KeyValueDiagnostics.report(
      .observerNotRegistered(
        observer: type(of: observer), subject: type(of: self), keyPath: keyPath, context: context))
  }
}
