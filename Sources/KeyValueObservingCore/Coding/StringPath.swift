/// A key path in a string, checked as far as it can be before it is used (P6).
struct StringPath {
  let text: String
  let keys: [String]
  /// The path, if it need not be evaluated.
  private(set) var known: KnownPath?

  /// Parses a path and checks it from `subject` on: links that are there against the object found,
  /// links that are nil against their declared type.
  init(_ text: String, from subject: some KeyValueObservable) throws(KeyValueCodingError) {
    let table = PropertyTable.of(type(of: subject))
    if let found = table.stringPaths.find(text), let path = found.known, path.leads(from: subject) {
      // Its classes are those against which it has been checked.
      self = found
      return
    }
    try self.init(text)
    try check(from: subject)
    known = KnownPath(keys, from: type(of: subject))
    if known != nil { table.stringPaths.insert(self) }
  }

  /// Parses a path. Its keys are observed one behind the other, so no operator can stand in it.
  init(_ text: String) throws(KeyValueCodingError) {
    let parsed = try ParsedKeyPath(text)
    if let found = parsed.firstOperator { throw .unobservableOperator(found, in: text) }
    self.text = text
    keys = parsed.keys
    if keys.isEmpty { throw .nothingToObserve(in: text) }
  }

  private func check(from subject: any KeyValueObservable) throws(KeyValueCodingError) {
    var object = subject
    for place in keys.indices {
      let property = try object.accessibleProperty(forKey: keys[place])
      if place == keys.count - 1 { return }
      guard let value = property.value(of: object) else {
        return try check(from: property.valueType, place + 1)
      }
      guard let next = value as? any KeyValueObservable else {
        throw .notObservable(keyPath: text, key: keys[place], type: type(of: value))
      }
      object = next
    }
  }

  /// Checks the rest of the path against what is declared.
  private func check(
    from declaredType: Any.Type, _ first: Int
  ) throws(KeyValueCodingError) {
    var type = unwrappedType(declaredType)
    for place in first..<keys.count {
      guard let observable = type as? any KeyValueObservable.Type else {
        if mayHoldObservable(type) { return }
        throw .notObservable(keyPath: text, key: keys[place - 1], type: type)
      }
      if observable.hasDynamicKeys { return }
      let table = PropertyTable.of(observable)
      type = unwrappedType(try table.accessibleProperty(forKey: keys[place]).valueType)
    }
  }

  /// Whether a value of the type can be an observable object: a class may have an observable
  /// subclass, and an existential may hold one.
  private func mayHoldObservable(_ type: Any.Type) -> Bool {
    type is AnyClass || isExistential(type)
  }
}

extension KnownPath {
  /// The path that keys name, if the declared types say so.
  fileprivate convenience init?(_ keys: [String], from root: any KeyValueObservable.Type) {
    var properties: [KeyValueProperty] = []
    var owner: (any KeyValueObservable.Type)? = root
    for key in keys {
      guard let type = owner, let property = PropertyTable.of(type).property(named: key),
        !property.isPrivate
      else { return nil }
      properties.append(property)
      owner = unwrappedType(property.valueType) as? any KeyValueObservable.Type
    }
    self.init(properties, from: root, leaf: nil)
  }
}

/// The string paths that have led from objects of one class.
final class StringPathCache: @unchecked Sendable {  // `paths` is guarded by `lock`
  private let lock = Lock()
  private var paths: [String: StringPath] = [:]

  private static var limit: Int { 256 }

  func find(_ text: String) -> StringPath? { lock.withLock { paths[text] } }

  func insert(_ path: StringPath) {
    lock.withLock {
      if paths.count < StringPathCache.limit { paths[path.text] = path }
    }
  }
}

extension KeyValueObservable {
  /// The property that a string names.
  func accessibleProperty(forKey key: String) throws(KeyValueCodingError) -> KeyValueProperty {
    guard let property = keyValueProperty(forKey: key), !property.isPrivate else {
      throw PropertyTable.of(type(of: self)).undefinedKey(key)
    }
    return property
  }
}

extension PropertyTable {
  func accessibleProperty(forKey key: String) throws(KeyValueCodingError) -> KeyValueProperty {
    guard let property = property(named: key), !property.isPrivate else {
      throw undefinedKey(key)
    }
    return property
  }

  func undefinedKey(_ key: String) -> KeyValueCodingError {
    let keys = properties.filter { !$0.isPrivate }.map(\.key)
    return .undefinedKey(key, type: type, suggestion: nearest(to: key, among: keys))
  }
}
