/// A kind of object that should keep the contract, described for ``KeyValueConformanceCheck``.
///
/// ```swift
/// let source = KeyValueConformanceSource(key: "name", values: ("a", "b", "c"), link: "boss") {
///   Person()
/// }
/// ```
public struct KeyValueConformanceSource {
  let key: String
  let values: [Any]
  let link: String?
  let surface: KeyValueConformanceSurface
  let changeByItself: ((any KeyValueObservable, _ key: String, _ value: Any?) -> Void)?
  let isObserved: ((any KeyValueObservable, _ key: String) -> Bool)?
  let make: () -> any KeyValueObservable

  /// Describes a kind of object.
  ///
  /// - Parameters:
  ///   - key: A property that can be set, also by key.
  ///   - values: Three values of the property, none of which equals another.
  ///   - link: A property that holds an object of the kind, or nil; without it, the checks of key
  ///     paths find nothing to check and pass.
  ///   - surface: How the checks observe.
  ///   - changeByItself: Changes a key as an object does that reports its changes afterwards;
  ///     without it, the checks of such changes find nothing to check and pass.
  ///   - isObserved: Whether the object, which is notified of being observed, was last notified
  ///     that a key is observed; without it, the check of that finds nothing to check and passes.
  ///   - make: Makes an object that nobody else refers to. It is called for each check, often more
  ///     than once.
  public init(
    key: String, values: (Any, Any, Any), link: String? = nil,
    surface: KeyValueConformanceSurface = .closure,
    changeByItself: ((any KeyValueObservable, _ key: String, _ value: Any?) -> Void)? = nil,
    isObserved: ((any KeyValueObservable, _ key: String) -> Bool)? = nil,
    make: @escaping () -> any KeyValueObservable
  ) {
    self.key = key
    self.values = [values.0, values.1, values.2]
    self.link = link
    self.surface = surface
    self.changeByItself = changeByItself
    self.isObserved = isObserved
    self.make = make
  }
}
