#if GObject
  public import KeyValueObservingCore

  extension KeyValueDiagnostic.ID {
    /// A subscript of a `GObjectSource` had no effect, because a subscript cannot throw.
    public static let failedSubscript = Self(rawValue: "failedSubscript")

    /// A property of a GObject does not hold values of the type of its `GObjectKey`.
    public static let incompatibleKey = Self(rawValue: "incompatibleKey")
  }
#endif
