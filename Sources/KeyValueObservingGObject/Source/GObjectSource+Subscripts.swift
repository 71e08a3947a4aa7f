#if GObject
  internal import KeyValueObservingCore

  extension GObjectSource {
    /// The value of a property, nil for NULL.
    ///
    /// Setting it notifies the observers of the property on this thread, before the assignment returns
    /// (P8). A key that the class does not have, a write-only one that is read, a read-only one that is set
    /// and a value that the property does not take are reported in a diagnostic; reading returns nil then,
    /// and setting changes nothing. `value(forKey:)` and `setValue(_:forKey:)` throw instead.
    ///
    /// - Parameter key: The name of the property, as `page-size`, `page_size` or `pageSize`.
    public subscript(key: String) -> Any? {
      get {
        do throws(KeyValueCodingError) {
          return try value(forKey: key)
        } catch {
          KeyValueDiagnostics.report(.failedSubscript(key, of: self, error: error))
          return nil
        }
      }
      set {
        do throws(KeyValueCodingError) {
          try setValue(newValue, forKey: key)
        } catch {
          KeyValueDiagnostics.report(.failedSubscript(key, of: self, error: error))
        }
      }
    }

    /// The value of a property as the type of its key, nil for NULL.
    ///
    /// It is read and set as ``subscript(_:)-(String)`` says. A value that is not of the key's type is
    /// converted if nothing is lost (P42); one that cannot be is reported in a diagnostic and read as nil.
    ///
    /// - Parameter key: A key of the GObject's property.
    public subscript<Value>(key: GObjectKey<Value>) -> Value? {
      get {
        if KeyValueRegistrar.isTracking {
          KeyValueRegistrar.noteSubscript(
            of: key.propertyName, at: \GObjectSource[key], chained: \GObjectSource?.?[key]
          ) { $0[key] }
        }
        guard let contents = self[key.propertyName] else { return nil }
        if let value = contents as? Value ?? losslessly(contents, as: Value.self) { return value }
        KeyValueDiagnostics.report(
          .incompatibleKey(
            key.propertyName, of: self, contents, expected: Value.self))
        return nil
      }
      set {
        // Enumerations and sets of options are numbers to GLib.
        let raw = (newValue as? any RawRepresentable).map { $0.rawValue as Any }
        self[key.propertyName] = raw ?? newValue
      }
    }
  }
#endif
