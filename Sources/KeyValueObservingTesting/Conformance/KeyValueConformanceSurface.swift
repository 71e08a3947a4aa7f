/// A way of observing that should keep the contract, described for ``KeyValueConformanceCheck``.
public struct KeyValueConformanceSurface {
  /// Observes the value at a key path of an object, and returns what ends that when it is called.
  ///
  /// The observation must also end when the last copy of what was returned is released.
  public typealias Register = (
    _ object: any KeyValueObservable, _ keyPath: String, _ options: KeyValueObservation.Options,
    _ handler: @escaping (KeyValueChange<Any?>) -> Void
  ) throws -> () -> Void

  let tellsOfDeath: Bool
  let register: Register

  /// Describes a surface.
  ///
  /// - Parameters:
  ///   - tellsOfDeath: Whether observers hear `sourceDeleted` when their object dies (P33).
  ///   - register: Observes.
  public init(tellsOfDeath: Bool = false, register: @escaping Register) {
    self.tellsOfDeath = tellsOfDeath
    self.register = register
  }

  /// The surface of `observe(_:options:changeHandler:)`.
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

  /// The surface of `KeyValueObserver`.
  public static var observer: Self {
    Self(tellsOfDeath: true) { object, keyPath, options, handler in
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
