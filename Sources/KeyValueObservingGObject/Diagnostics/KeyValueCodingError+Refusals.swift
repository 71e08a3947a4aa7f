#if GObject
  internal import CGObject
  internal import KeyValueObservingCore

  // The reason why a property does not accept a value.
  extension KeyValueCodingError {
    static func refused(_ contents: Any?, by property: GObjectProperty) -> Self {
      .invalidValue(
        type: GObjectSource.self, key: property.name,
        value: contents.map { String(describing: $0) } ?? "nil",
        reason: reason(property, contents))
    }

    private static func reason(_ property: GObjectProperty, _ contents: Any?) -> ValueReason {
      let type = String(cString: g_type_name(property.parameter.pointee.value_type))
      if let range = property.range {
        return .outOfRange(minimum: range.minimum, maximum: range.maximum)
      }
      return switch property.kind {
      case .object, .enumeration, .flags, .boxed: .typeMismatch(expected: type)
      case .string where hasNull(contents), .strings where hasNull(contents): .nullCharacter
      default: "its GParamSpec does not allow it"
      }
    }

    private static func hasNull(_ contents: Any?) -> Bool {
      let strings = contents as? [String] ?? (contents as? String).map { [$0] } ?? []
      return strings.contains { $0.utf8.contains(0) }
    }
  }
#endif
