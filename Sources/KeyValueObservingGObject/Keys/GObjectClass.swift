#if GObject
  internal import CGObject
  internal import KeyValueObservingCore

  /// The properties of one class of GObjects.
  ///
  /// Each class has one, which is never freed, as GLib never frees a class of objects either.
  final class GObjectClass: Sendable {
    let type: GType
    /// In the order of the class.
    let names: [String]
    /// By the spellings that name them: `page-size`, `page_size` and `pageSize`.
    private let properties: [String: GObjectProperty]

    private init(_ type: GType) {
      self.type = type
      let object = g_type_class_ref(type).assumingMemoryBound(to: CGObject.GObjectClass.self)
      var count: guint = 0
      let list = g_object_class_list_properties(object, &count)
      defer { g_free(list) }
      var properties: [String: GObjectProperty] = [:]
      var names: [String] = []
      for index in 0..<Int(count) {
        // A property that overrides one of an interface is found as the overriding one.
        guard let listed = list?[index],
          let parameter = g_object_class_find_property(object, listed.pointee.name)
        else { continue }
        let property = GObjectProperty(parameter, of: type)
        names.append(property.name)
        properties[property.name] = property
      }
      for name in names {
        for spelling in KeySpelling.others(of: name) where properties[spelling] == nil {
          properties[spelling] = properties[name]
        }
      }
      self.names = names
      self.properties = properties
    }

    /// The property that a key names, in any spelling.
    ///
    /// - Complexity: O(1) on average.
    func property(forKey key: String) -> GObjectProperty? {
      properties[key] ?? properties[KeySpelling.canonical(key)]
    }

    func has(_ property: GObjectProperty?) -> Bool {
      property.map { $0.owner == type } ?? false
    }

    var name: String { String(cString: g_type_name(type)) }

    // MARK: The classes of all types

    static func of(_ type: GType) -> GObjectClass {
      if let known = lock.withLock({ classes[type] }) { return known }
      let made = GObjectClass(type)
      return lock.withLock {
        if let known = classes[type] { return known }
        classes[type] = made
        return made
      }
    }

    private static let lock = Lock()
    // Guarded by `lock`.
    nonisolated(unsafe) private static var classes: [GType: GObjectClass] = [:]
  }
#endif
