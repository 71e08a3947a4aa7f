/// An object whose properties can be observed.
///
/// Write `@KeyValueObservable` in front of a class and it conforms. A class can also conform by
/// hand: it declares its registrar, lists its properties, and tells the registrar of each access
/// (see the guide "A class without the macro").
public protocol KeyValueObservable: AnyObject {
  /// Knows who observes the object: a stored constant, the same for the object's whole life.
  var keyValueRegistrar: KeyValueRegistrar { get }

  /// Returns the properties of the class and its superclasses.
  ///
  /// It is called once for each class. A subclass that adds properties appends them to those of
  /// `super`.
  static func keyValueProperties() -> [KeyValueProperty]

  /// Returns the property that a key names, nil if there is none.
  ///
  /// The default looks among ``keyValueProperties()``. A class whose keys are data, such as
  /// ``KeyValueDictionary``, makes the property when it is asked.
  func keyValueProperty(forKey key: String) -> KeyValueProperty?

  /// Whether ``keyValueProperty(forKey:)`` knows keys that the class does not list. The default is
  /// false, so that a string key path can be checked where an object is still missing (P6).
  static var hasDynamicKeys: Bool { get }

  /// Whether assigning to a property tells its observers. The default is true.
  ///
  /// Override it to return false for a key whose setter must not notify (P20). It is asked once for
  /// each class and key.
  static func automaticallyNotifiesObservers(forKey key: String) -> Bool

  /// Returns key paths on which a property depends in ways that cannot be found by reading it.
  ///
  /// The answers of a class and its superclasses are united, whether or not `super` is called
  /// (P21). It is asked once for each class and key. The default is empty.
  static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String>
}

extension KeyValueObservable {
  public func keyValueProperty(forKey key: String) -> KeyValueProperty? {
    PropertyTable.of(type(of: self)).property(named: key)
  }

  public static var hasDynamicKeys: Bool { false }

  public static func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }

  public static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }
}
