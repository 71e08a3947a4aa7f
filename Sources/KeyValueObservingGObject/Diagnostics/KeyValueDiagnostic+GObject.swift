#if GObject
  internal import KeyValueObservingCore

  // Every sentence of this module's diagnostics.
  extension KeyValueDiagnostic {
    /// A subscript cannot throw.
    static func subscriptFailed(of source: GObjectSource, _ error: KeyValueCodingError) -> Self {
      Self(
        """
        A subscript of a \(source.typeName) had no effect. \(error) Use value(forKey:) and \
        setValue(_:forKey:) where a key or a value comes from outside.
        """)
    }

    static func otherType(
      of key: String, in source: GObjectSource, _ contents: Any, expected: Any.Type
    ) -> Self {
      Self(
        """
        \(source.typeName) has \(String(describing: contents)) of type \
        \(spelling(of: Swift.type(of: contents))) for '\(key)', which no \(spelling(of: expected)) \
        can be, so it is read as nil. Declare the key with the type of the property: \
        GObjectKey<\(spelling(of: Swift.type(of: contents)))>.
        """,
        about: key)
    }
  }
#endif
