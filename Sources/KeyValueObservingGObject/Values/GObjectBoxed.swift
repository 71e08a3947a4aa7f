#if GObject
  internal import CGObject

  /// A copy of a value whose type is declared in C only: a boxed type such as `GdkRGBA`, or a
  /// `GVariant`.
  ///
  /// It owns the copy, which is made and released by the functions of the type, and never changes.
  /// It is as thread-safe as the type.
  public final class GObjectBoxed {
    private let value: UnsafeMutablePointer<GValue>

    /// Copies what a value holds.
    ///
    /// Returns nil if it holds nothing.
    init?(_ other: inout GValue) {
      guard g_value_fits_pointer(&other) == 0 || g_value_peek_pointer(&other) != nil else {
        return nil
      }
      value = .allocate(capacity: 1)
      value.initialize(to: GValue())
      g_value_init(value, other.g_type)
      g_value_copy(&other, value)
    }

    /// Copies a value of a boxed type.
    ///
    /// Returns nil if the type is no boxed type.
    ///
    /// - Parameters:
    ///   - pointer: The value, which stays the caller's.
    ///   - type: The `GType` of the value.
    public init?(copying pointer: UnsafeRawPointer, ofType type: UInt) {
      guard g_type_fundamental(GType(type)) == kvo_type_boxed else { return nil }
      value = .allocate(capacity: 1)
      value.initialize(to: GValue())
      g_value_init(value, GType(type))
      g_value_set_boxed(value, pointer)
    }

    deinit {
      g_value_unset(value)
      value.deallocate()
    }

    /// The `GType` of the value.
    public var type: UInt { UInt(value.pointee.g_type) }

    /// The name of its type, such as "GdkRGBA".
    public var typeName: String { String(cString: g_type_name(value.pointee.g_type)) }

    /// Calls a closure with the address of the value, which is valid until the closure returns.
    ///
    /// The value must not be changed there.
    ///
    /// - Parameter body: Receives the pointer, which is valid until it returns.
    /// - Returns: The value that `body` returns.
    /// - Throws: Any error that `body` throws.
    public func withUnsafePointer<Result>(
      _ body: (UnsafeRawPointer) throws -> Result
    ) rethrows -> Result {
      try withExtendedLifetime(self) { try body(address) }
    }

    private var address: UnsafeRawPointer { kvo_value_contents(value) }

    /// Copies the value into another one.
    ///
    /// Returns false if that is of another type.
    func copy(to other: inout GValue) -> Bool {
      guard g_type_is_a(value.pointee.g_type, other.g_type) != 0 else { return false }
      g_value_copy(value, &other)
      return true
    }
  }

  extension GObjectBoxed: Equatable {
    /// Whether two values are known to be equal: variants, bytes, `GDateTime`s and `GString`s by their
    /// contents, others if both are one value, as copies are whose type counts references.
    public static func == (left: GObjectBoxed, right: GObjectBoxed) -> Bool {
      guard left.type == right.type else { return false }
      return withExtendedLifetime((left, right)) {
        if left.address == right.address { return true }
        return switch left.value.pointee.g_type {
        case kvo_type_variant:
          g_variant_equal(left.address, right.address) != 0
        case kvo_type_bytes(): g_bytes_equal(left.address, right.address) != 0
        case kvo_type_date_time(): g_date_time_equal(left.address, right.address) != 0
        case kvo_type_gstring():
          g_string_equal(
            left.address.assumingMemoryBound(to: GString.self),
            right.address.assumingMemoryBound(to: GString.self)) != 0
        default: false
        }
      }
    }
  }

  extension GObjectBoxed: CustomStringConvertible {
    /// GLib's text for the value: its type, and its contents if GLib can print them.
    public var description: String {
      guard let text = g_strdup_value_contents(value) else { return typeName }
      defer { g_free(text) }
      return String(cString: text)
    }
  }
#endif
