#if GObject
  internal import CGObject
  internal import KeyValueObservingCore

  // The properties of a GObject, as the engine knows them.
  extension GObjectSource: KeyValueObservable {
    public static func keyValueProperties() -> [KeyValueProperty] { [] }

    public static var hasDynamicKeys: Bool { true }

    public var dynamicKeys: [String] { objectClass.names }

    public func keyValueProperty(forKey key: String) -> KeyValueProperty? {
      objectClass.property(forKey: key)?.entry
    }

    /// The property of its own class for which an entry stands, which may have been found in another one.
    func own(_ property: GObjectProperty?, named name: String) -> GObjectProperty? {
      objectClass.has(property) ? property : objectClass.property(forKey: name)
    }

    // MARK: Values

    /// The value, recorded as read.
    func value(of property: GObjectProperty?) -> Any? {
      guard let property else { return nil }
      return keyValueRegistrar.value(of: property.entry, in: self) {
        property.read(from: object).value
      }
    }

    /// Sets a property and notifies its observers once.
    func set(_ property: GObjectProperty?, to contents: Any?) throws(KeyValueCodingError) {
      guard let property else { return }
      try property.withValue(contents) { value throws(KeyValueCodingError) in
        try keyValueRegistrar.set(
          property.entry, of: self, to: contents, read: { lastValue(of: property) },
          write: { _ in
            guard let watch = watch(of: property) else {
              return property.write(&value, to: object)
            }
            watch.set(self) { property.write(&value, to: object) }
          })
      }
    }

    /// The value that observers know.
    private func lastValue(of property: GObjectProperty) -> Any? {
      (watch(of: property)?.lastContents ?? property.read(from: object)).value
    }
  }

  extension GObjectSource: KeyValueSource {
    public func didBecomeObserved(forKey key: String) {
      guard let property = objectClass.property(forKey: key), property.isReadable else { return }
      let watch = GObjectWatch(property, of: self)
      add(watch)
      watch.begin(with: self)
    }

    public func didBecomeUnobserved(forKey key: String) {
      removeWatch(named: key)?.end(of: object)
    }
  }
#endif
