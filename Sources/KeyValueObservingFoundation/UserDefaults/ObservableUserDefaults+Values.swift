public import Foundation

// The getters of `UserDefaults`, with the conversions that it makes. Each is a read of its key: a
// property that calls one can be observed with a typed key path.
extension ObservableUserDefaults {
  /// The value of a key, nil if it has none, not even a registered default.
  ///
  /// - Parameter defaultName: The name of the default.
  /// - Returns: The value, or nil if there is none of this type.
  public func object(forKey defaultName: String) -> Any? {
    if KeyValueRegistrar.isTracking {
      keyValueRegistrar.access(dynamicKey: defaultName, of: self)
      store.watch(defaultName)
    }
    return store.value(forKey: defaultName)
  }

  /// The string of a key, or its number as a string; nil if it has neither.
  ///
  /// - Parameter defaultName: The name of the default.
  /// - Returns: The value, or nil if there is none of this type.
  public func string(forKey defaultName: String) -> String? {
    let value = object(forKey: defaultName)
    return value as? String ?? (value as? NSNumber)?.stringValue
  }

  /// The array of a key, nil if it has none.
  ///
  /// - Parameter defaultName: The name of the default.
  /// - Returns: The value, or nil if there is none of this type.
  public func array(forKey defaultName: String) -> [Any]? {
    object(forKey: defaultName) as? [Any]
  }

  /// The dictionary of a key, nil if it has none.
  ///
  /// - Parameter defaultName: The name of the default.
  /// - Returns: The value, or nil if there is none of this type.
  public func dictionary(forKey defaultName: String) -> [String: Any]? {
    object(forKey: defaultName) as? [String: Any]
  }

  /// The data of a key, nil if it has none.
  ///
  /// - Parameter defaultName: The name of the default.
  /// - Returns: The value, or nil if there is none of this type.
  public func data(forKey defaultName: String) -> Data? {
    object(forKey: defaultName) as? Data
  }

  /// The strings of a key, nil if it has no array or one of anything else.
  ///
  /// - Parameter defaultName: The name of the default.
  /// - Returns: The value, or nil if there is none of this type.
  public func stringArray(forKey defaultName: String) -> [String]? {
    object(forKey: defaultName) as? [String]
  }

  /// The number of a key, or that which its string begins with, as an integer; 0 if it has none.
  ///
  /// - Parameter defaultName: The name of the default.
  /// - Returns: The value, or 0 if there is none of this type.
  public func integer(forKey defaultName: String) -> Int {
    number(forKey: defaultName)?.intValue ?? text(forKey: defaultName)?.integerValue ?? 0
  }

  /// The number of a key, or that which its string begins with, as a float; 0 if it has none.
  ///
  /// - Parameter defaultName: The name of the default.
  /// - Returns: The value, or 0 if there is none of this type.
  public func float(forKey defaultName: String) -> Float {
    number(forKey: defaultName)?.floatValue ?? text(forKey: defaultName)?.floatValue ?? 0
  }

  /// The number of a key, or that which its string begins with, as a double; 0 if it has none.
  ///
  /// - Parameter defaultName: The name of the default.
  /// - Returns: The value, or 0 if there is none of this type.
  public func double(forKey defaultName: String) -> Double {
    number(forKey: defaultName)?.doubleValue ?? text(forKey: defaultName)?.doubleValue ?? 0
  }

  /// Whether the value of a key is a number but 0, or a string such as "YES"; false if it has none.
  ///
  /// - Parameter defaultName: The name of the default.
  /// - Returns: The value, or false if there is none of this type.
  public func bool(forKey defaultName: String) -> Bool {
    number(forKey: defaultName)?.boolValue ?? text(forKey: defaultName)?.boolValue ?? false
  }

  /// The URL of a key, nil if it has none.
  ///
  /// - Parameter defaultName: The name of the default.
  /// - Returns: The value, or nil if there is none of this type.
  public func url(forKey defaultName: String) -> URL? {
    switch object(forKey: defaultName) {
    case let path as String: URL(fileURLWithPath: NSString(string: path).expandingTildeInPath)
    // The representation of what is no file, and of a file reference on Apple's platforms.
    case let data as Data:
      try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSURL.self, from: data) as URL?
    default: nil
    }
  }

  /// All keys with their values.
  ///
  /// Reading them is not recorded: observe single keys.
  public func dictionaryRepresentation() -> [String: Any] {
    defaults.dictionaryRepresentation()
  }

  private func number(forKey key: String) -> NSNumber? { object(forKey: key) as? NSNumber }

  private func text(forKey key: String) -> NSString? {
    (object(forKey: key) as? String).map { NSString(string: $0) }
  }
}
