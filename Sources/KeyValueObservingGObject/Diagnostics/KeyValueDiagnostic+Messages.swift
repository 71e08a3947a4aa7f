#if GObject
  internal import KeyValueObservingCore

  // Every diagnostic of this module.
  extension KeyValueDiagnostic {
    static func failedSubscript(
      _ key: String, of source: GObjectSource, error: KeyValueCodingError
    ) -> Self {
      let cause = error.message.within("GObjectSource.\(key)")
      return Self(
        .failedSubscript, type: GObjectSource.self, keyPath: key,
        Message(
          "\(source.typeName)[\"\(key)\"]",
          "the subscript has no effect, because \(cause.finding)",
          [cause.remedy, "Use value(forKey:) and setValue(_:forKey:), which throw, for input."]
            .compactMap { $0 }.joined(separator: " ")))
    }

    static func incompatibleKey(
      _ key: String, of source: GObjectSource, _ contents: Any, expected: Any.Type
    ) -> Self {
      let type = spelling(of: Swift.type(of: contents))
      return Self(
        .incompatibleKey, type: GObjectSource.self, keyPath: key,
        Message(
          "\(source.typeName).\(key)",
          """
          \(String(describing: contents)) of type \(type) cannot be read as \
          \(spelling(of: expected)), so the subscript returns nil
          """,
          "Declare the key as GObjectKey<\(type)>."),
        reportedOncePer: key)
    }
  }
#endif
