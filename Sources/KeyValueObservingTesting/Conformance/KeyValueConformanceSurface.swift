/// An API for observing, described for ``KeyValueConformanceCheck``.
public struct KeyValueConformanceSurface {
  /// Observes the value at a key path of an object, and returns a closure that ends the
  /// observation.
  ///
  /// The observation must also end when the last copy of that closure is released.
  public typealias Register = (
    _ object: any KeyValueObservable, _ keyPath: String, _ options: KeyValueObservation.Options,
    _ handler: @escaping (KeyValueChange<Any?>) -> Void
  ) throws -> () -> Void

  let reportsDeallocation: Bool
  let register: Register

  /// Describes an API for observing.
  ///
  /// - Parameters:
  ///   - reportsDeallocation: Whether observers receive `sourceDeleted` when the object is
  ///     deallocated (P33).
  ///   - register: Registers an observer.
  public init(reportsDeallocation: Bool = false, register: @escaping Register) {
    self.reportsDeallocation = reportsDeallocation
    self.register = register
  }

  /// The function `observe(_:options:changeHandler:)`.
  public static var closure: Self {
    Self { object, keyPath, options, handler in
      func observe(_ object: some KeyValueObservable) throws -> () -> Void {
        let token = try object.observe(keyPath, options: options) { _, change in
          handler(change)
        }
        return { token.invalidate() }
      }
      return try observe(object)
    }
  }

  /// The class `KeyValueObserver`.
  public static var observer: Self {
    Self(reportsDeallocation: true) { object, keyPath, options, handler in
      func observe(_ object: some KeyValueObservable) throws -> () -> Void {
        let observer = try KeyValueObserver(
          source: object, keyPath: keyPath, options: options
        ) { change, _ in handler(change) }
        return { observer.cancel() }
      }
      return try observe(object)
    }
  }
}
