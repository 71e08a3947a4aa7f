/// The names that expansions declare or refer to.
///
/// Names that only expansions use start with `_$`, which distinguishes them from the names of
/// users.
enum EmittedName {
  static let module = "KeyValueObserving"
  static let protocolName = "KeyValueObservable"
  static let registrarType = "\(module).KeyValueRegistrar"
  static let propertyType = "\(module).KeyValueProperty"
  static let qualifiedProtocol = "\(module).\(protocolName)"

  static let registrar = "keyValueRegistrar"
  static let properties = "keyValueProperties"
  static let automaticallyNotifies = "automaticallyNotifiesObservers"
  static let affectingKeyPaths = "keyPathsForValuesAffectingValue"

  static let ownAutomaticallyNotifies = "_$automaticallyNotifiesObservers"
  static let ownAffectingKeyPaths = "_$keyPathsForValuesAffecting"

  // Qualified, because a class may have members of these names.
  static let downcast = "Swift.unsafeDowncast"
  static let exchange = "Swift.exchange"
  static let bool = "Swift.Bool"
  static let set = "Swift.Set"
  static let keyPath = "Swift.KeyPath"
  static let string = "Swift.String"

  static let willChange = "willChangeValue"
  static let manualNotifications = [willChange, "didChangeValue"]
  static let manualNotificationType = "\(module)._$ManualNotification"

  static let observationRegistrar = "_$observationRegistrar"
  static let observation = "_$observation"
  static let observationEvent = "\(module)._$ObservationEvent"
  static let observationRegistrarType = "Observation.ObservationRegistrar"

  static let storageGuard = "_$storageGuard"
  static let storageGuardType = "\(module)._$KeyValueGuard"

  static let deprecatedProperties = "_$Deprecated"
  static let deprecatedPropertiesProtocol = "\(module)._$DeprecatedProperties"

  static let addStored = "_$addStored"
  static let append = "_$append"
  static let setProperty = "_$set"
  static let setReadingBack = "_$setReadingBack"
  static let observersMayHaveCome = "_$observersMayHaveCome"
  static let willModify = "_$willModify"
  static let didModify = "_$didModify"

  static let storagePrefix = "_$"
  static let subjectParameter = "_$Subject"
  static let valueParameter = "_$Value"
  static let propertyList = "_$properties"

  // Local, and without the prefix: a property called `modification` is stored as `_$modification`.
  static let modification = "modification"

  static let storedMacro = "_$KeyValueStored"
  static let initializerMacro = "_$KeyValueInitializer"
  static let ignoredMacro = "KeyValueIgnored"
  static let dependentMacro = "KeyValueDependent"
}
