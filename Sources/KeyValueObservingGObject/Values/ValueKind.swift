#if GObject
  internal import CGObject

  /// What the values of a property are in Swift, and how they are taken out of a `GValue`.
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

    /// What a value of the kind holds.
    func contents(of value: inout GValue) -> Any? {
      switch self {
      case .boolean: g_value_get_boolean(&value) != 0
      case .int8: g_value_get_schar(&value)
      case .uint8: g_value_get_uchar(&value)
      case .int32: g_value_get_int(&value)
      case .uint32: g_value_get_uint(&value)
      case .long: g_value_get_long(&value)
      case .unsignedLong: UInt(g_value_get_ulong(&value))
      case .int64: Int64(g_value_get_int64(&value))
      case .uint64: UInt64(g_value_get_uint64(&value))
      case .float: g_value_get_float(&value)
      case .double: g_value_get_double(&value)
      case .enumeration: g_value_get_enum(&value)
      case .flags: g_value_get_flags(&value)
      case .type: UInt(g_value_get_gtype(&value))
      case .string: g_value_get_string(&value).map { String(cString: $0) }
      case .strings: strings(g_value_get_boxed(&value))
      case .object: g_value_get_object(&value).map { GObjectSource.of($0) }
      case .pointer: g_value_get_pointer(&value)
      case .boxed: GObjectBoxed(&value)
      }
    }

    private func strings(_ boxed: UnsafeMutableRawPointer?) -> [String]? {
      guard var next = boxed?.assumingMemoryBound(to: UnsafePointer<CChar>?.self) else {
        return nil
      }
      var strings: [String] = []
      while let string = next.pointee {
        strings.append(String(cString: string))
        next += 1
      }
      return strings
    }

    /// Whether the kind has values that are not told apart by what they hold.
    var isOpaque: Bool { self == .boxed }
  }
#endif
