/// A class of observable objects, described for ``KeyValueConformanceCheck``.
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

  /// Describes a class of observable objects.
  ///
  /// - Parameters:
  ///   - key: A property that can be set by key.
  ///   - values: Three values of the property, none of which equals another.
  ///   - link: A property that holds an object of the class, or nil. Without it, the checks of key
  ///     paths pass.
  ///   - surface: The API with which the checks observe.
  ///   - changeByItself: Changes a key and posts the notification afterwards. Without it, the
  ///     checks of such changes pass.
  ///   - isObserved: Whether the object was last notified that the key is observed. Without it, the
  ///     check of that passes.
  ///   - make: Creates an object to which there is no other reference. Each check calls it, often
  ///     more than once.
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
