public import KeyValueObservingCore

extension KeyValueDiagnostic.ID {
  /// An `addObserver`-style observer was not added, because its key path cannot be observed.
  public static let observerNotAdded = Self(rawValue: "observerNotAdded")

  /// An observer was removed that is not registered with the key path and context (P34).
  public static let observerNotRegistered = Self(rawValue: "observerNotRegistered")

  /// A value that was passed to `setValuesForKeys(_:)` cannot be set, and no value is (P43).
  public static let valuesNotSet = Self(rawValue: "valuesNotSet")

  /// A value cannot be read as the type that an observation requests, and nil is delivered.
  public static let incompatibleRepresentation = Self(rawValue: "incompatibleRepresentation")

  /// A value is not a property list value, and the user default keeps its value.
  public static let unsupportedDefault = Self(rawValue: "unsupportedDefault")

  /// A child of an `ObservableProgress` sends no notifications.
  public static let unobservableChild = Self(rawValue: "unobservableChild")
}
