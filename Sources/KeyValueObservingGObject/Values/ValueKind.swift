#if GObject
  internal import CGObject

  /// The Swift type of a property's values, and how they are taken out of a `GValue`.
  enum ValueKind {
    case boolean, int8, uint8, int32, uint32, long, unsignedLong, int64, uint64, float, double
    case string, strings, enumeration, flags, object, type, pointer
    /// Anything else, which is kept in a `GValue`.
    case boxed

    init(of type: GType) {
      self =
        if type == kvo_type_strv() {
          .strings
        } else if type == kvo_type_gtype() {
          .type
        } else if g_type_is_a(type, kvo_type_object) != 0 {
          .object
        } else {
          Self.fundamental[g_type_fundamental(type)] ?? .boxed
        }
    }

    private static let fundamental: [GType: ValueKind] = [
      kvo_type_boolean: .boolean, kvo_type_char: .int8, kvo_type_uchar: .uint8,
      kvo_type_int: .int32, kvo_type_uint: .uint32, kvo_type_long: .long,
      kvo_type_ulong: .unsignedLong, kvo_type_int64: .int64, kvo_type_uint64: .uint64,
      kvo_type_float: .float, kvo_type_double: .double, kvo_type_string: .string,
      kvo_type_enum: .enumeration, kvo_type_flags: .flags, kvo_type_pointer: .pointer,
    ]

    /// The type that values have in Swift.
    var type: Any.Type {
      switch self {
      case .boolean: Bool.self
      case .int8: Int8.self
      case .uint8: UInt8.self
      case .int32, .enumeration: Int32.self
      case .uint32, .flags: UInt32.self
      case .long: Int.self
      case .unsignedLong, .type: UInt.self
      case .int64: Int64.self
      case .uint64: UInt64.self
      case .float: Float.self
      case .double: Double.self
      case .string: String?.self
      case .strings: [String]?.self
      case .object: GObjectSource?.self
      case .pointer: UnsafeMutableRawPointer?.self
      case .boxed: GObjectBoxed?.self
      }
    }

    /// Whether values of the kind are not compared by their contents.
    var isOpaque: Bool { self == .boxed }
  }
#endif
