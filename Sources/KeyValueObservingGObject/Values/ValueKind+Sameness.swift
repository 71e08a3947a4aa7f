#if GObject
  extension ValueKind {
    /// Whether two values of the kind are the same, so that a notification without a change is not
    /// delivered. What is not a number is the same as itself; objects are the same if they are one.
    func areSame(_ left: Any?, _ right: Any?) -> Bool {
      switch self {
      case .boolean: areEqual(left, right, Bool.self)
      case .int8: areEqual(left, right, Int8.self)
      case .uint8: areEqual(left, right, UInt8.self)
      case .int32, .enumeration: areEqual(left, right, Int32.self)
      case .uint32, .flags: areEqual(left, right, UInt32.self)
      case .long: areEqual(left, right, Int.self)
      case .unsignedLong, .type: areEqual(left, right, UInt.self)
      case .int64: areEqual(left, right, Int64.self)
      case .uint64: areEqual(left, right, UInt64.self)
      case .float: areSameNumber(left, right, Float.self)
      case .double: areSameNumber(left, right, Double.self)
      case .string: areEqual(left, right, String.self)
      case .strings: areEqual(left, right, [String].self)
      case .object: left as? GObjectSource === right as? GObjectSource
      case .pointer: areEqual(left, right, UnsafeMutableRawPointer.self)
      case .boxed: areEqual(left, right, GObjectBoxed.self)
      }
    }

    private func areEqual<Value: Equatable>(_ left: Any?, _ right: Any?, _: Value.Type) -> Bool {
      left as? Value == right as? Value
    }

    private func areSameNumber<Value: BinaryFloatingPoint>(
      _ left: Any?, _ right: Any?, _: Value.Type
    ) -> Bool {
      guard let left = left as? Value, let right = right as? Value else { return false }
      return left == right || (left.isNaN && right.isNaN)
    }
  }
#endif
