#if GObject
  internal import CGObject

  extension GObjectProperty {
    /// The least and the greatest number that the property takes, as text; nil if it has no range.
    var range: (minimum: String, maximum: String)? {
      let specification = String(
        cString: g_type_name_from_instance(
          UnsafeMutableRawPointer(parameter).assumingMemoryBound(to: GTypeInstance.self)))
      switch specification {
      case "GParamChar": return bounds(GParamSpecChar.self) { ($0.minimum, $0.maximum) }
      case "GParamUChar": return bounds(GParamSpecUChar.self) { ($0.minimum, $0.maximum) }
      case "GParamInt": return bounds(GParamSpecInt.self) { ($0.minimum, $0.maximum) }
      case "GParamUInt": return bounds(GParamSpecUInt.self) { ($0.minimum, $0.maximum) }
      case "GParamLong": return bounds(GParamSpecLong.self) { ($0.minimum, $0.maximum) }
      case "GParamULong": return bounds(GParamSpecULong.self) { ($0.minimum, $0.maximum) }
      case "GParamInt64": return bounds(GParamSpecInt64.self) { ($0.minimum, $0.maximum) }
      case "GParamUInt64": return bounds(GParamSpecUInt64.self) { ($0.minimum, $0.maximum) }
      case "GParamFloat": return bounds(GParamSpecFloat.self) { ($0.minimum, $0.maximum) }
      case "GParamDouble": return bounds(GParamSpecDouble.self) { ($0.minimum, $0.maximum) }
      default: return nil
      }
    }

    private func bounds<Specification, Number>(
      _: Specification.Type, _ bounds: (Specification) -> (Number, Number)
    ) -> (minimum: String, maximum: String) {
      let (minimum, maximum) = bounds(
        UnsafeRawPointer(parameter).assumingMemoryBound(to: Specification.self).pointee)
      return ("\(minimum)", "\(maximum)")
    }
  }
#endif
