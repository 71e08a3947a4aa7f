#if GObject
  internal import CGObject
  internal import KeyValueObservingCore

  /// One property of a class of GObjects: its `GParamSpec`, and the entry by which the engine knows it.
  final class GObjectProperty: @unchecked Sendable {  // immutable after init
    /// The class whose objects it is read from.
    let owner: GType
    let name: String
    let kind: ValueKind
    let parameter: UnsafeMutablePointer<GParamSpec>
    /// The detail of its `notify`.
    let detail: GQuark
    let entry: KeyValueProperty

    init(_ parameter: UnsafeMutablePointer<GParamSpec>, of owner: GType) {
      let name = String(cString: parameter.pointee.name)
      self.owner = owner
      self.name = name
      self.parameter = parameter
      kind = ValueKind(of: parameter.pointee.value_type)
      detail = g_param_spec_get_name_quark(parameter)
      // The property itself is found by the source, whose class may be another one with an equal key.
      let reference = Reference()
      entry = .entry(
        name, of: GObjectSource.self, valueType: kind.type,
        get: parameter.has(G_PARAM_READABLE)
          ? { $0.value(of: $0.own(reference.property, named: name)) } : nil,
        set: parameter.has(G_PARAM_WRITABLE) && !parameter.has(G_PARAM_CONSTRUCT_ONLY)
          ? { source, value throws(KeyValueCodingError) in
            try source.set(source.own(reference.property, named: name), to: value)
          } : nil)
      reference.property = self
    }

    /// The entry's reference to the property that made it.
    ///
    /// Classes keep their properties for good.
    private final class Reference: @unchecked Sendable {  // written before the entry is shared
      unowned(unsafe) var property: GObjectProperty?
    }

    var isReadable: Bool { parameter.has(G_PARAM_READABLE) }

    // MARK: Values

    func read(from object: UnsafeMutablePointer<CGObject.GObject>) -> Contents {
      var value = GValue()
      g_value_init(&value, parameter.pointee.value_type)
      defer { g_value_unset(&value) }
      g_object_get_property(object, parameter.pointee.name, &value)
      return Contents(of: &value, kind)
    }

    func write(_ value: inout GValue, to object: UnsafeMutablePointer<CGObject.GObject>) {
      g_object_set_property(object, parameter.pointee.name, &value)
    }

    /// Puts a value into a `GValue` and calls a closure with it.
    ///
    /// - Throws: ``KeyValueCodingError/invalidValue(type:key:value:reason:)`` for a value that the
    ///   property does not take as it is, about which GLib would warn or which it would correct.
    func withValue(
      _ contents: Any?, _ body: (inout GValue) throws(KeyValueCodingError) -> Void
    ) throws(KeyValueCodingError) {
      var value = GValue()
      g_value_init(&value, parameter.pointee.value_type)
      defer { g_value_unset(&value) }
      guard kind.store(contents, in: &value), g_param_value_validate(parameter, &value) == 0 else {
        throw .refused(contents, by: self)
      }
      try body(&value)
    }
  }

  extension UnsafeMutablePointer<GParamSpec> {
    func has(_ flag: GParamFlags) -> Bool { pointee.flags.rawValue & flag.rawValue != 0 }
  }
#endif
