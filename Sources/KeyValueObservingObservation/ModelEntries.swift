internal import KeyValueObservingCore

/// The entries of all key paths of models that were observed.
///
/// A program has few, and none is released.
enum ModelEntries {
  private struct Table {
    var byKeyPath: [AnyKeyPath: ModelEntry] = [:]
    var byKey: [String: ModelEntry] = [:]
  }

  private static let lock = Lock()
  /// Guarded by `lock`.
  nonisolated(unsafe) private static var table = Table()

  /// Returns the entry of a key path, made if there is none.
  ///
  /// Its key is a number, because nothing says at run time what the components of a key path are
  /// called.
  static func entry<Model: AnyObject & Observable, Value>(
    at keyPath: KeyPath<Model, Value>
  ) -> ModelEntry {
    lock.withLock {
      if let known = table.byKeyPath[keyPath] { return known }
      let made = ModelEntry(keyPath, key: "#\(table.byKey.count + 1)")
      table.byKeyPath[keyPath] = made
      table.byKey[made.key] = made
      return made
    }
  }

  /// Returns the entry with a key.
  static func entry(forKey key: String) -> ModelEntry? {
    lock.withLock { table.byKey[key] }
  }
}

/// A key path from the models of a class, as the engine knows it.
struct ModelEntry: @unchecked Sendable {  // immutable, as key paths are
  let key: String
  let property: KeyValueProperty
  let keyPath: AnyKeyPath
  /// The class of the sources that have it.
  let owner: Any.Type

  init<Model: AnyObject & Observable, Value>(_ keyPath: KeyPath<Model, Value>, key: String) {
    self.key = key
    self.keyPath = keyPath
    owner = ObservableSource<Model>.self
    let writable = keyPath as? ReferenceWritableKeyPath<Model, Value>
    property = .entry(
      key, of: ObservableSource<Model>.self, valueType: Value.self,
      get: { flatten($0[keyPath]) },
      set: writable.map { keyPath in
        // The engine has converted the value.
        { source, value in source.model[keyPath: keyPath] = value as! Value }
      })
  }
}
