public import Foundation
internal import KeyValueObservingCore

// The setters of `UserDefaults`. Each notifies the observers of the key in all instances of the
// suite, on this thread and before it returns, also if the value is equal to the former one (P8,
// P9).
extension ObservableUserDefaults {
  /// Sets the value of a key: a property list value or a URL.
  ///
  /// Nil removes the value.
  ///
  /// A value of another type is not stored, and one diagnostic reports it; `UserDefaults` stops the
  /// program.
  ///
  /// - Parameters:
  ///   - value: A property list value, a URL, or nil.
  ///   - defaultName: The name of the default.
  ///
  /// - Complexity: O(*n*) in the number of the key's observers.
  public func set(_ value: Any?, forKey defaultName: String) {
    if let unsupported = setIfSupported(value, forKey: defaultName) {
      KeyValueDiagnostics.report(
        .unsupportedDefault(type: type(of: unsupported), key: defaultName))
    }
  }

  /// Sets the value of a key, unless it cannot be stored.
  ///
  /// Returns the value then.
  func setIfSupported(_ value: Any?, forKey defaultName: String) -> Any? {
    guard let value = value.flatMap({ flatten($0) }) else {
      removeObject(forKey: defaultName)
      return nil
    }
    if isPropertyList(value) {
      store.set(value, forKey: defaultName) { $0.set(value, forKey: defaultName) }
    } else if let url = value as? URL ?? (value as? NSURL).map({ $0 as URL }) {
      set(url, forKey: defaultName)
    } else {
      return value
    }
    return nil
  }

  /// Sets the value of a key to an integer.
  ///
  /// - Parameters:
  ///   - value: The value to store.
  ///   - defaultName: The name of the default.
  public func set(_ value: Int, forKey defaultName: String) {
    store.set(value, forKey: defaultName) { $0.set(value, forKey: defaultName) }
  }

  /// Sets the value of a key to a float.
  ///
  /// - Parameters:
  ///   - value: The value to store.
  ///   - defaultName: The name of the default.
  public func set(_ value: Float, forKey defaultName: String) {
    store.set(value, forKey: defaultName) { $0.set(value, forKey: defaultName) }
  }

  /// Sets the value of a key to a double.
  ///
  /// - Parameters:
  ///   - value: The value to store.
  ///   - defaultName: The name of the default.
  public func set(_ value: Double, forKey defaultName: String) {
    store.set(value, forKey: defaultName) { $0.set(value, forKey: defaultName) }
  }

  /// Sets the value of a key to a truth value.
  ///
  /// - Parameters:
  ///   - value: The value to store.
  ///   - defaultName: The name of the default.
  public func set(_ value: Bool, forKey defaultName: String) {
    store.set(value, forKey: defaultName) { $0.set(value, forKey: defaultName) }
  }

  /// Sets the value of a key to a URL.
  ///
  /// Of the URL of a file the path is stored, and of any other one its archive, which
  /// `UserDefaults.url(forKey:)` reads as well. Nil removes the value.
  ///
  /// - Parameters:
  ///   - url: The URL to store, or nil to remove it.
  ///   - defaultName: The name of the default.
  public func set(_ url: URL?, forKey defaultName: String) {
    // With nil this function of Foundation on Linux calls itself for ever.
    guard let url else { return removeObject(forKey: defaultName) }
    // It would store the path of any URL, and so lose the host.
    if !url.isFileURL, let data = archive(of: url) {
      store.set(data, forKey: defaultName) { $0.set(data, forKey: defaultName) }
    } else {
      store.set(url, forKey: defaultName) { $0.set(url, forKey: defaultName) }
    }
  }

  /// Removes the value of a key.
  ///
  /// Its new value is the registered default, or nil.
  ///
  /// - Parameter defaultName: The name of the default.
  public func removeObject(forKey defaultName: String) {
    store.set(nil, forKey: defaultName) { $0.removeObject(forKey: defaultName) }
  }

  /// Registers values for keys that have none, for all suites of this process.
  ///
  /// Observers of a key are notified if its value changes by that, on this thread and before this
  /// returns.
  ///
  /// - Parameter registrationDictionary: The defaults to use where no other value is set.
  ///
  /// - Complexity: O(*n*) in the number of keys that were ever observed, in all suites.
  public func register(defaults registrationDictionary: [String: Any]) {
    defaults.register(defaults: registrationDictionary)
    DefaultsSuites.shared.refresh()
  }

  /// Writes the store to disk, and notifies observers of external changes.
  ///
  /// Those are the changes that other processes have made, or other code of this process with a
  /// plain `UserDefaults`. Each is delivered once, to the observers of all instances of the suite,
  /// on this thread and before this function returns; its old value is the one that was last
  /// delivered or observed. In a transaction that is rolled back, the former values are stored again,
  /// over those changes (P56).
  ///
  /// - Returns: The result of `UserDefaults.synchronize()`.
  ///
  /// - Complexity: O(*n*) in the number of keys of the suite that were ever observed.
  @discardableResult
  public func synchronize() -> Bool {
    let isSynchronized = defaults.synchronize()
    store.refresh()
    return isSynchronized
  }
}

/// The form in which Foundation stores the URL of what is no file on Apple's platforms.
private func archive(of url: URL) -> Data? {
  try? NSKeyedArchiver.archivedData(withRootObject: url as NSURL, requiringSecureCoding: true)
}
