#if GObject
  internal import CGObject
  internal import KeyValueObservingCore

  extension ValueKind {
    /// Puts a value of the kind into a `GValue` that is initialized for the property's type.
    ///
    /// Returns false if the `GValue` cannot hold it as it is.
    func store(_ contents: Any?, in value: inout GValue) -> Bool {
      switch self {
      case .string: return storeString(contents, in: &value)
      case .strings: return storeStrings(contents, in: &value)
      case .object: return storeObject(contents, in: &value)
      case .boxed: return storeBoxed(contents, in: &value)
      case .pointer:
        g_value_set_pointer(&value, contents as? UnsafeMutableRawPointer)
        return true
      default: return storeNumber(contents, in: &value)
      }
    }

    private func storeNumber(_ contents: Any?, in value: inout GValue) -> Bool {
      switch (self, contents) {
      case (.boolean, let bool as Bool): g_value_set_boolean(&value, bool ? 1 : 0)
      case (.int8, let number as Int8): g_value_set_schar(&value, number)
      case (.uint8, let number as UInt8): g_value_set_uchar(&value, number)
      case (.int32, let number as Int32): g_value_set_int(&value, number)
      case (.uint32, let number as UInt32): g_value_set_uint(&value, number)
      case (.long, let number as Int): g_value_set_long(&value, number)
      case (.unsignedLong, let number as UInt): g_value_set_ulong(&value, number)
      case (.int64, let number as Int64): g_value_set_int64(&value, gint64(number))
      case (.uint64, let number as UInt64): g_value_set_uint64(&value, guint64(number))
      case (.float, let number as Float): g_value_set_float(&value, number)
      case (.double, let number as Double): g_value_set_double(&value, number)
      case (.enumeration, let number as Int32): g_value_set_enum(&value, number)
      case (.flags, let number as UInt32): g_value_set_flags(&value, number)
      case (.type, let number as UInt): g_value_set_gtype(&value, GType(number))
      default: return false
      }
      return true
    }

    private func storeString(_ contents: Any?, in value: inout GValue) -> Bool {
      let string = contents as? String
      if let string, !isWhole(string) { return false }
      g_value_set_string(&value, string)
      return true
    }

    private func storeStrings(_ contents: Any?, in value: inout GValue) -> Bool {
      guard let strings = contents as? [String] else { return true }
      guard strings.allSatisfy(isWhole), let list = g_strv_builder_new() else { return false }
      for string in strings { g_strv_builder_add(list, string) }
      g_value_take_boxed(&value, g_strv_builder_end(list))
      g_strv_builder_unref(list)
      return true
    }

    /// Whether all of a string is in what C takes for it, which ends at the first zero.
    private func isWhole(_ string: String) -> Bool { !string.utf8.contains(0) }

    private func storeObject(_ contents: Any?, in value: inout GValue) -> Bool {
      guard let source = contents as? GObjectSource else { return true }
      guard g_type_is_a(kvo_object_type(source.pointer), value.g_type) != 0 else { return false }
      g_value_set_object(&value, source.pointer)
      return true
    }

    private func storeBoxed(_ contents: Any?, in value: inout GValue) -> Bool {
      guard let boxed = contents as? GObjectBoxed else { return true }
      return boxed.copy(to: &value)
    }
  }
#endif
