public import Foundation
internal import KeyValueObservingCore

/// The user's defaults database, observable: the same store as Foundation's `UserDefaults`.
///
/// Every key can be observed, set or not. A key is a string, for `observe("theme")`,
/// `onChange("theme")` and `addObserver(_:forKeyPath:)`, or a property that an extension declares
/// with the subscript, for typed key paths:
///
///     extension ObservableUserDefaults {
///       var theme: String? {
///         get { self["theme"] }
///         set { self["theme"] = newValue }
///       }
///     }
///
///     let token = ObservableUserDefaults.standard.observe(\.theme, options: [.old, .new]) { … }
///
/// Observers are called synchronously, on the thread that sets the value and before the setter
/// returns (P8), or on the actor on which the observation was registered (P40). All instances of
/// one suite share its store: a value that is set through one of them notifies the observers of
/// every one, where there are several in a transaction (P44). Values that other code of the process stores with a plain `UserDefaults`, or another
/// process stores, are in the store immediately, but Foundation sends no notification of them on
/// Linux. They are delivered by the next ``synchronize()``, on its thread, as are those after which
/// `UserDefaults.didChangeNotification` is posted, on the thread that posts it. Apple's platforms
/// post it after each change.
///
/// It may be used from any thread. Reading a value and storing another one that depends on it are
/// two accesses, as with `UserDefaults`. An observation ends when its instance is deallocated
/// (P33), so keep the instance that you observe; ``standard`` is never deallocated.
///
/// A transaction that is rolled back stores the former value of a key again, also where that was a registered
/// default (P50).
///
/// A string with dots is a key path (P6): observe a key that contains dots through a property.
public final class ObservableUserDefaults: KeyValueObservable, Sendable {
  /// The registrar of the object's observers.
  public let keyValueRegistrar = KeyValueRegistrar()
  let store: DefaultsStore

  private init(_ store: DefaultsStore) {
    self.store = store
    store.insert(self)
  }

  /// Creates an instance with the store of `UserDefaults.standard`.
  public convenience init() {
    self.init(DefaultsSuites.shared.standard)
  }

  /// Creates an instance with the store of `UserDefaults(suiteName:)`.
  ///
  /// It is nil where Foundation's is. The suite nil is the store of `UserDefaults.standard`.
  ///
  /// - Parameter suiteName: The name of the suite, or nil for the standard defaults.
  public convenience init?(suiteName: String?) {
    guard let store = DefaultsSuites.shared.store(of: suiteName) else { return nil }
    self.init(store)
  }

  /// The instance that the process shares, with the store of `UserDefaults.standard`.
  public static let standard = ObservableUserDefaults()

  /// Foundation's object with the same store, for code that takes one, and for what is not mirrored
  /// here, such as domains.
  ///
  /// It is that of all instances of the suite.
  public var defaults: UserDefaults { store.defaults }

  /// The value of a key as a type, nil if there is none that can be converted without loss.
  ///
  /// Guarantee: P42.
  ///
  /// A property that reads it can be observed with a typed key path. A number is converted to other
  /// types of number, and a raw value to the type that it represents. Setting nil removes the
  /// value; a registered default is visible again then.
  ///
  /// `Value` may be a property list type, `URL` (``url(forKey:)``), or a type with a raw value of
  /// those. A value of another type is not stored, and one diagnostic reports it. That holds also
  /// for a collection of values with raw values: store their raw values.
  ///
  /// - Parameter key: The name of a default.
  ///
  /// - Complexity: That of the accesses of `UserDefaults`, and for a setter O(*n*) in the number of
  ///   the key's observers.
  public subscript<Value>(key: String) -> Value? {
    get {
      let isURL = unwrappedType(Value.self) == URL.self
      return losslessly(isURL ? url(forKey: key) : object(forKey: key))
    }
    set { set(newValue.flatMap { flatten($0) }.map(rawValue(of:)), forKey: key) }
  }

  /// The value of a key as a type, or a default where there is none.
  ///
  /// It is read and set as the subscript without a default is. The default is not stored.
  ///
  /// - Parameters:
  ///   - key: The name of a default.
  ///   - value: The value to return if there is none of this type.
  public subscript<Value>(key: String, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    set { self[key] = newValue }
  }

  /// Returns no properties, because all keys are dynamic.
  public static func keyValueProperties() -> [KeyValueProperty] { [] }

  /// Whether objects may have keys that their class does not list: they do.
  public static var hasDynamicKeys: Bool { true }

  /// Returns the property of a default, whether a value is stored for it or not.
  ///
  /// - Parameter key: The name of the default.
  /// - Returns: The property, or nil if the name cannot be observed.
  public func keyValueProperty(forKey key: String) -> KeyValueProperty? {
    store.watch(key)
    return .entry(
      key, of: ObservableUserDefaults.self, get: { $0.object(forKey: key) },
      set: { defaults, value throws(KeyValueCodingError) in
        if let unsupported = defaults.setIfSupported(value, forKey: key) {
          throw .unsupportedDefault(unsupported, key: key)
        }
      })
  }
}

/// The stored representation of a value: its raw value if it has one.
private func rawValue(of value: Any) -> Any {
  func rawValue(of value: some RawRepresentable) -> Any { value.rawValue }
  return (value as? any RawRepresentable).map { rawValue(of: $0) } ?? value
}
