#if GObject
  /// The key of a GObject's property whose values have a known type.
  ///
  /// Declare it once, and name it in key paths from then on:
  ///
  /// ```swift
  /// extension GObjectKey {
  ///   static var hadjustment: GObjectKey<GObjectSource> { "hadjustment" }
  ///   static var upper: GObjectKey<Double> { "upper" }
  /// }
  ///
  /// screen.observe(\.scroller?[.hadjustment]?[.upper], options: .new) { screen, change in … }
  /// ```
  ///
  /// `Value` is the type without `Optional`: ``GObjectSource/subscript(_:)-(GObjectKey<Value>)`` returns an
  /// optional of any of them. A property whose own values are of another type is converted without loss,
  /// as key-value coding converts (P42): a `gint` to `Int`, an enumeration to a type whose raw value is a
  /// number. Keys are equal if they name the same property: `pageSize` is `page-size`.
  public struct GObjectKey<Value>: Hashable, Sendable {
    /// The name of the property as GLib spells it, such as "page-size".
    public let propertyName: String

    /// Creates the key of a property.
    ///
    /// - Parameter name: The name of the property, as `page-size`, `page_size` or `pageSize`.
    public init(_ name: String) {
      propertyName = KeySpelling.canonical(name)
    }
  }

  extension GObjectKey: ExpressibleByStringLiteral {
    /// Creates a key from the name of a property.
    ///
    /// - Parameter name: The name of the property.
    public init(stringLiteral name: String) {
      self.init(name)
    }
  }

  extension GObjectKey: CustomStringConvertible {
    /// The name of the property.
    public var description: String { propertyName }
  }
#endif
