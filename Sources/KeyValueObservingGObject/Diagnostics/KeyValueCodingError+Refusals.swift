#if GObject
  internal import CGObject
  internal import KeyValueObservingCore

  // Why a property does not take a value, in a sentence that goes on after a colon.
  extension KeyValueCodingError {
    static func refused(_ contents: Any?, by property: GObjectProperty) -> Self {
      .invalidValue(
        type: GObjectSource.self, key: property.name,
        value: contents.map { String(describing: $0) } ?? "nil",
        reason: reason(property, contents))
    }

    private static func reason(_ property: GObjectProperty, _ contents: Any?) -> String {
      let type = String(cString: g_type_name(property.parameter.pointee.value_type))
      if let range = property.range {
        return "it takes numbers from \(range.minimum) to \(range.maximum)"
      }
      return switch property.kind {
      case .object: "it takes objects of the type \(type)"
      case .enumeration: "it takes the values of the enumeration \(type)"
      case .flags: "it takes the flags of \(type)"
      case .boxed: "it takes values of the type \(type)"
      case .string where hasZero(contents), .strings where hasZero(contents):
        "text in C ends at its first zero character, so the rest would be lost"
      default: "its GParamSpec does not allow the value"
      }
    }

    private static func hasZero(_ contents: Any?) -> Bool {
      let strings = contents as? [String] ?? (contents as? String).map { [$0] } ?? []
      return strings.contains { $0.utf8.contains(0) }
    }
  }
#endif
