#if GObject
  internal import CGObject

  // Compared and kept for each change without looking for the types of values, which takes longer than a
  // delivery (row: GObject, 1 observer of old and new).
  /// The contents of a `GValue`, by its kind.
  enum Contents {
    case boolean(Bool)
    case int8(Int8)
    case uint8(UInt8)
    case int32(Int32)
    case uint32(UInt32)
    case int(Int)
    case uint(UInt)
    case int64(Int64)
    case uint64(UInt64)
    case float(Float)
    case double(Double)
    case string(String)
    case strings([String])
    case object(GObjectSource)
    case pointer(UnsafeMutableRawPointer)
    case boxed(GObjectBoxed)
    /// NULL.
    case none

    /// The value as observers receive it.
    var value: Any? {
      switch self {
      case .boolean(let value): value
      case .int8(let value): value
      case .uint8(let value): value
      case .int32(let value): value
      case .uint32(let value): value
      case .int(let value): value
      case .uint(let value): value
      case .int64(let value): value
      case .uint64(let value): value
      case .float(let value): value
      case .double(let value): value
      case .string(let value): value
      case .strings(let value): value
      case .object(let value): value
      case .pointer(let value): value
      case .boxed(let value): value
      case .none: nil
      }
    }

    /// Whether two values are the same, so that a notification without a change is not delivered.
    ///
    /// A floating-point number that is not a number is the same as another one; objects are if they
    /// are one.
    func isSame(as other: Contents) -> Bool {
      switch (self, other) {
      case (.boolean(let left), .boolean(let right)): left == right
      case (.int8(let left), .int8(let right)): left == right
      case (.uint8(let left), .uint8(let right)): left == right
      case (.int32(let left), .int32(let right)): left == right
      case (.uint32(let left), .uint32(let right)): left == right
      case (.int(let left), .int(let right)): left == right
      case (.uint(let left), .uint(let right)): left == right
      case (.int64(let left), .int64(let right)): left == right
      case (.uint64(let left), .uint64(let right)): left == right
      case (.float(let left), .float(let right)): left == right || (left.isNaN && right.isNaN)
      case (.double(let left), .double(let right)): left == right || (left.isNaN && right.isNaN)
      case (.string(let left), .string(let right)): left == right
      case (.strings(let left), .strings(let right)): left == right
      case (.object(let left), .object(let right)): left === right
      case (.pointer(let left), .pointer(let right)): left == right
      case (.boxed(let left), .boxed(let right)): left == right
      case (.none, .none): true
      default: false
      }
    }
  }

  extension Contents {
    /// Takes what a value of a kind holds.
    init(of value: inout GValue, _ kind: ValueKind) {
      self =
        switch kind {
        case .boolean: .boolean(g_value_get_boolean(&value) != 0)
        case .int8: .int8(g_value_get_schar(&value))
        case .uint8: .uint8(g_value_get_uchar(&value))
        case .int32: .int32(g_value_get_int(&value))
        case .uint32: .uint32(g_value_get_uint(&value))
        case .long: .int(g_value_get_long(&value))
        case .unsignedLong: .uint(UInt(g_value_get_ulong(&value)))
        case .int64: .int64(Int64(g_value_get_int64(&value)))
        case .uint64: .uint64(UInt64(g_value_get_uint64(&value)))
        case .float: .float(g_value_get_float(&value))
        case .double: .double(g_value_get_double(&value))
        case .enumeration: .int32(g_value_get_enum(&value))
        case .flags: .uint32(g_value_get_flags(&value))
        case .type: .uint(UInt(g_value_get_gtype(&value)))
        case .string: g_value_get_string(&value).map { .string(String(cString: $0)) } ?? .none
        case .strings: Contents.strings(at: g_value_get_boxed(&value))
        case .object: g_value_get_object(&value).map { .object(GObjectSource.of($0)) } ?? .none
        case .pointer: g_value_get_pointer(&value).map { .pointer($0) } ?? .none
        case .boxed: GObjectBoxed(&value).map { .boxed($0) } ?? .none
        }
    }

    private static func strings(at address: UnsafeMutableRawPointer?) -> Contents {
      guard var next = address?.assumingMemoryBound(to: UnsafePointer<CChar>?.self) else {
        return .none
      }
      var strings: [String] = []
      while let string = next.pointee {
        strings.append(String(cString: string))
        next += 1
      }
      return .strings(strings)
    }
  }
#endif
