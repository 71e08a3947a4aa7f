extension KeyValueDiagnostic {
  /// The kind of a programming error, as a word that stays the same from version to version.
  ///
  /// Every module of the package adds its own, and a version may add more: a `switch` over
  /// identifiers needs a `default` case. A diagnostic shows its identifier in brackets at the end
  /// of its text.
  public struct ID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The word.
    public let rawValue: String

    /// Creates an identifier from its word.
    ///
    /// - Parameter rawValue: The word, such as `nonConvergence`.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The word.
    public var description: String { rawValue }
  }
}

extension KeyValueDiagnostic.ID {
  // MARK: Observing

  /// The observers of a property keep changing it, and delivery was stopped (P18).
  public static let nonConvergence = Self(rawValue: "nonConvergence")

  /// A string key path leads to a value that has no keys, and the value observed is nil (P6).
  public static let valueWithoutKeys = Self(rawValue: "valueWithoutKeys")

  /// A string key path runs through a property whose declared class is not observable (P6).
  public static let unobservableClass = Self(rawValue: "unobservableClass")

  /// An observed key path cannot be evaluated, and its value is nil meanwhile (P6, P29).
  public static let brokenKeyPath = Self(rawValue: "brokenKeyPath")

  /// A typed key path contains no observable property (P7).
  public static let unobservableKeyPath = Self(rawValue: "unobservableKeyPath")

  /// An observed computed property changed with a property whose getter does not record reads (P7).
  public static let untrackedRead = Self(rawValue: "untrackedRead")

  /// A weak property holds an object whose deallocation cannot be observed (P27).
  public static let unobservableWeakTarget = Self(rawValue: "unobservableWeakTarget")

  // MARK: Notifying manually, declaring dependencies

  /// A manual notification names something that is not a property of the object (P19).
  public static let unknownProperty = Self(rawValue: "unknownProperty")

  /// A declared dependency names a key that does not exist (P21).
  public static let unknownDependency = Self(rawValue: "unknownDependency")

  /// A declared dependency goes on after a value that has no keys (P21).
  public static let dependencyOfValue = Self(rawValue: "dependencyOfValue")

  // MARK: Transactions

  /// A transaction was rolled back, but for values that cannot be put back (P51), or a history does not record
  /// a property or an object (P58, P60).
  public static let unrestoredValue = Self(rawValue: "unrestoredValue")

  // MARK: Bindings

  /// A value of a bound property cannot be converted for the other side, which keeps its value (P66).
  public static let unconvertedBoundValue = Self(rawValue: "unconvertedBoundValue")

  /// A property was bound to itself.
  public static let bindingToItself = Self(rawValue: "bindingToItself")

  // MARK: Proxies

  /// An element cannot be converted to the element type of the collection, and the mutation has no
  /// effect (P35).
  public static let incompatibleElement = Self(rawValue: "incompatibleElement")

  /// The property no longer holds a collection, and the mutation has no effect (P35).
  public static let proxyWithoutCollection = Self(rawValue: "proxyWithoutCollection")

  /// A prior notification of a mutation changed the array, and the mutation has no effect (P35).
  public static let outdatedIndexes = Self(rawValue: "outdatedIndexes")

  /// The setter of the property threw an error: the mutation has no effect (P69), or the value of a binding is not
  /// written (P66).
  public static let rejectedMutation = Self(rawValue: "rejectedMutation")
}
