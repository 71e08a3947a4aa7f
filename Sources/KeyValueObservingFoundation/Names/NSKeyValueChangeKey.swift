#if !canImport(ObjectiveC)
  /// A key of the change dictionary that an `addObserver`-style observer receives.
  ///
  /// The keys, and which of them are present, are those of Apple's Foundation.
  public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
    /// The name of the key.
    public let rawValue: String

    /// Creates a key from its text.
    ///
    /// - Parameter rawValue: The name of the key.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// How the property changed: the raw value of an ``NSKeyValueChange``, a `UInt`.
    ///
    /// Always there.
    public static let kindKey = Self(rawValue: "kind")
    /// The value after the change, or the inserted elements, if `new` was requested.
    ///
    /// `NSNull` for nil. A prior has none, nor has a removal.
    public static let newKey = Self(rawValue: "new")
    /// The value before the change, or the removed elements, if `old` was requested.
    ///
    /// `NSNull` for nil. An initial change has none, nor has an insertion.
    public static let oldKey = Self(rawValue: "old")
    /// The indexes of the elements that changed, an `IndexSet`, for ordered collections.
    public static let indexesKey = Self(rawValue: "indexes")
    /// True in a change that is about to be made, absent in every other.
    public static let notificationIsPriorKey = Self(rawValue: "notificationIsPrior")
  }
#endif
