/// An object whose properties can be observed.
///
/// The macro `@KeyValueObservable` makes a class conform. A class can also conform manually: it
/// declares its registrar, lists its properties, and notifies the registrar of each access (see the
/// guide "A class without the macro").
public protocol KeyValueObservable: AnyObject {
  /// The registrar of the object's observers: a stored constant.
  var keyValueRegistrar: KeyValueRegistrar { get }

  /// Returns the properties of the class and its superclasses.
  ///
  /// It is called once for each class, and once more by each thread that uses the class for the
  /// first time concurrently. A subclass that adds properties appends them to those of `super`.
  static func keyValueProperties() -> [KeyValueProperty]

  /// Returns the property that a key names, nil if there is none.
  ///
  /// The default looks among ``keyValueProperties()``. A class with dynamic keys, such as
  /// ``KeyValueDictionary``, makes the property when this function is called.
  ///
  /// - Parameter key: The key of a property.
  /// - Returns: The property, or nil if there is none for the key.
  func keyValueProperty(forKey key: String) -> KeyValueProperty?

  /// Whether objects may have keys that their class does not list.
  ///
  /// ``keyValueProperty(forKey:)`` returns their properties. The default is false, so that a string
  /// key path can be checked while an intermediate object is still nil (P6).
  static var hasDynamicKeys: Bool { get }

  /// The dynamic keys of the object, for suggestions in errors. The default is empty.
  ///
  /// It is read if ``hasDynamicKeys`` is true and a key is not found, so that the error can suggest
  /// the nearest one.
  var dynamicKeys: [String] { get }

  /// Returns whether assigning to a property notifies its observers.
  ///
  /// Override it to return false for a key whose setter must not notify (P20). A computed property
  /// follows its inputs nevertheless. It is called for each key together with
  /// ``keyValueProperties()``. The default returns true. The macro writes an implementation that
  /// calls `automaticallyNotifiesObserversOfName()` if the body of the class declares that for its
  /// key `name`.
  ///
  /// - Parameter key: The key of a property.
  /// - Returns: Whether setters notify observers of the key.
  static func automaticallyNotifiesObservers(forKey key: String) -> Bool

  /// Returns the key paths of dependencies that cannot be found by evaluating a property.
  ///
  /// The sets of a class and its superclasses are united, whether or not `super` is called (P21).
  /// The function is called for each key together with ``keyValueProperties()``. The default
  /// returns no key paths; the macro writes an implementation that calls
  /// `keyPathsForValuesAffectingName()` if the body of the class declares that for its key `name`.
  /// A key path may end in a key that is no property and is notified manually
  /// (``willChangeValue(forKey:)``). A key path that cannot work is reported as a diagnostic when
  /// the key is observed.
  ///
  /// - Parameter key: The key of a property.
  /// - Returns: The key paths of the declared dependencies.
  static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String>

  // swift-format-ignore: NoLeadingUnderscores
  /// Returns the dependencies that the body of a class declares for a single key, if it also
  /// declares ``keyPathsForValuesAffectingValue(forKey:)``. Only expansions of macros implement it.
  @_documentation(visibility: internal)
  static func _$keyPathsForValuesAffecting(_ key: String) -> Set<String>

  /// Returns the value of a key that the class does not have.
  ///
  /// `value(forKey:)` and key paths call it, on their thread. Observing does not: a string key path
  /// with such a key is rejected (P6). A class with observable keys that it does not list makes
  /// properties for them in ``keyValueProperty(forKey:)`` instead.
  ///
  /// - Parameter key: The key of a property.
  /// - Returns: The value.
  /// - Throws: ``KeyValueCodingError/undefinedKey(_:type:suggestion:)``, with the nearest key. The
  ///   default always throws it.
  func value(forUndefinedKey key: String) throws(KeyValueCodingError) -> Any?

  /// Sets the value of a key that the class does not have.
  ///
  /// `setValue(_:forKey:)`, `setValues(_:)` and key paths call it, on their thread. An
  /// implementation that throws must not have changed anything.
  ///
  /// - Parameters:
  ///   - value: The value to set.
  ///   - key: The key of a property.
  /// - Throws: ``KeyValueCodingError/undefinedKey(_:type:suggestion:)`` with the nearest key. The
  ///   default always throws it.
  func setValue(_ value: Any?, forUndefinedKey key: String) throws(KeyValueCodingError)

  /// Handles an attempt to set a property that is not optional to nil by key.
  ///
  /// Implement it to store a value in place of nil, such as 0. `setValue(_:forKey:)`,
  /// `setValues(_:)` and key paths call it, on their thread. An implementation that throws must not
  /// have changed anything.
  ///
  /// - Parameter key: The key of a property.
  /// - Throws: ``KeyValueCodingError/nilForNonOptional(type:key:expected:)``. The default always
  ///   throws it.
  func setNilValueForKey(_ key: String) throws(KeyValueCodingError)

  /// Returns the value to which a property may be set in place of `value`, or throws.
  ///
  /// Implement it to check or correct external values, key by key; it must not set the property.
  /// `setValidatedValue(_:forKey:)` calls it, and any code may, on their thread; setters and
  /// `setValue(_:forKey:)` do not, as in Cocoa, whose in-out parameter is the result here. The
  /// default returns `value`, also for a key that the class does not have.
  ///
  /// - Parameters:
  ///   - value: The value to validate.
  ///   - key: The key of a property.
  /// - Returns: The value to set in its place.
  /// - Throws: An error that describes why the property may not have the value.
  func validateValue(_ value: Any?, forKey key: String) throws -> Any?
}

extension KeyValueObservable {
  /// Returns the property that the class lists for a key.
  ///
  /// - Parameter key: A key.
  /// - Returns: The property, or nil if the class lists none.
  public func keyValueProperty(forKey key: String) -> KeyValueProperty? {
    PropertyTable.of(type(of: self)).property(named: key)
  }

  /// Whether objects may have keys that their class does not list: they do not.
  public static var hasDynamicKeys: Bool { false }

  /// No keys.
  public var dynamicKeys: [String] { [] }

  /// Returns true: setters of all keys notify observers.
  ///
  /// - Parameter key: A key of the class.
  /// - Returns: True.
  public static func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }

  /// Returns no key paths: dependencies are found by evaluating getters.
  ///
  /// - Parameter key: A key of the class.
  /// - Returns: An empty set.
  public static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

  // swift-format-ignore: NoLeadingUnderscores
  /// Returns no key paths.
  @_documentation(visibility: internal)
  public static func _$keyPathsForValuesAffecting(_ key: String) -> Set<String> { [] }

  /// Throws an error that names the key and the most similar one of the class.
  ///
  /// - Parameter key: A key that the class does not have.
  /// - Returns: No value.
  /// - Throws: ``KeyValueCodingError/undefinedKey(_:type:suggestion:)``.
  public func value(forUndefinedKey key: String) throws(KeyValueCodingError) -> Any? {
    throw undefinedKey(key)
  }

  /// Throws an error that names the key and the most similar one of the class.
  ///
  /// - Parameters:
  ///   - value: The value to set.
  ///   - key: A key that the class does not have.
  /// - Throws: ``KeyValueCodingError/undefinedKey(_:type:suggestion:)``.
  public func setValue(
    _ value: Any?, forUndefinedKey key: String
  ) throws(KeyValueCodingError) {
    throw undefinedKey(key)
  }

  /// Throws an error that names the property, which cannot be nil.
  ///
  /// - Parameter key: The key of a property.
  /// - Throws: ``KeyValueCodingError``.
  public func setNilValueForKey(_ key: String) throws(KeyValueCodingError) {
    let property = try accessibleProperty(forKey: key)
    throw .nilForNonOptional(type: type(of: self), key: key, expected: property.declaredType)
  }

  /// Returns the value unchanged: every value is valid.
  ///
  /// - Parameters:
  ///   - value: The value to validate.
  ///   - key: The key of a property.
  /// - Returns: The value.
  /// - Throws: No error.
  public func validateValue(_ value: Any?, forKey key: String) throws -> Any? { value }
}
