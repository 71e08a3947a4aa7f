#if GObject
  internal import CGObject
  internal import KeyValueObservingCore

  // The properties of a GObject, as the engine knows them.
  extension GObjectSource: KeyValueObservable {
    /// Returns no properties, because all keys are dynamic.
    public static func keyValueProperties() -> [KeyValueProperty] { [] }

    /// Whether objects may have keys that their class does not list: they do.
    public static var hasDynamicKeys: Bool { true }

    /// The keys of the GObject's properties.
    public var dynamicKeys: [String] { objectClass.names }

    /// Returns the property of a key.
    ///
    /// - Parameter key: The name of a property of the GObject, or its key in Swift.
    /// - Returns: The property, or nil if the class of the GObject has none of that name.
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
    /// Begins to watch a key that has its first observer.
    ///
    /// - Parameter key: The key.
    public func didBecomeObserved(forKey key: String) {
      guard let property = objectClass.property(forKey: key), property.isReadable else { return }
      let watch = GObjectWatch(property, of: self)
      add(watch)
      watch.begin(with: self)
    }

    /// Ends watching a key that has lost its last observer.
    ///
    /// - Parameter key: The key.
    public func didBecomeUnobserved(forKey key: String) {
      removeWatch(named: key)?.end(of: object)
    }

    /// Freezes the GObject, so that it emits `notify` for all that the transaction sets together.
    public func willChangeInTransaction() { g_object_freeze_notify(object) }

    /// Thaws the GObject.
    public func didChangeInTransaction() {
      g_object_thaw_notify(object)
      if kvo_is_frozen(object) == 0 { noteThawed() }
    }
  }
#endif
