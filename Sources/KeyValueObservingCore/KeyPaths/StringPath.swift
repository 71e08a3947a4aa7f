/// A key path in a string, checked as far as it can be before it is observed (P6).
struct StringPath {
  let text: String
  /// The property, if the path is its key and nothing else.
  let onlyProperty: KeyValueProperty?
  /// The path, if it need not be evaluated.
  private(set) var known: KeyPathPlan?
  /// Nil for a single key, which most paths are: taking it apart takes as long as attaching to it.
  private let components: ParsedKeyPath?

  /// Parses a path and checks it from `subject` on: links that are there against the object found,
  /// links that are nil against their declared type.
  init(_ text: String, from subject: some KeyValueObservable) throws(KeyValueCodingError) {
    if ParsedKeyPath.isKey(text) {
      let property = try KeyValueRegistrar.untracked { () throws(KeyValueCodingError) in
        try subject.readableProperty(forKey: text)
      }
      self.init(text, nil, onlyProperty: property)
      return
    }
    let table = PropertyTable.of(type(of: subject))
    if let found = table.stringPaths.find(text), let path = found.known,
      KeyValueRegistrar.untracked({ path.leads(from: subject) })
    {
      // Its classes are those against which it has been checked.
      self = found
      return
    }
    let parsed = try ParsedKeyPath(text)
    if parsed.components.isEmpty { throw .noProperty(in: text) }
    try KeyValueRegistrar.untracked { () throws(KeyValueCodingError) in
      try parsed.check(from: subject)
    }
    self.init(
      text, parsed, known: KeyPathPlan(parsed, from: type(of: subject)),
      onlyProperty: parsed.onlyKey.flatMap { subject.keyValueProperty(forKey: $0) })
    if known != nil { table.stringPaths.insert(self) }
  }

  fileprivate init(
    _ text: String, _ components: ParsedKeyPath?, known: KeyPathPlan? = nil,
    onlyProperty: KeyValueProperty? = nil
  ) {
    self.text = text
    self.components = components
    self.known = known
    self.onlyProperty = onlyProperty
  }

  var parsed: ParsedKeyPath { components ?? ParsedKeyPath(key: text) }
}

/// A key path in a string, to be read.
struct CodedPath {
  private let parsed: ParsedKeyPath
  private let known: KeyPathPlan?

  init(
    _ text: String, from type: any KeyValueObservable.Type
  ) throws(KeyValueCodingError) {
    let table = PropertyTable.of(type)
    if let found = table.stringPaths.find(text) {
      (parsed, known) = (found.parsed, found.known)
      return
    }
    parsed = try ParsedKeyPath(text)
    known = KeyPathPlan(parsed, from: type)
    guard let known else { return }
    let property = parsed.onlyKey.flatMap { table.property(named: $0) }
    table.stringPaths.insert(StringPath(text, parsed, known: known, onlyProperty: property))
  }

  /// The value at the path, which is evaluated where it does not lead through the classes that its
  /// keys declare.
  func value(from subject: any KeyValueObservable) throws(KeyValueCodingError) -> Any? {
    guard !KeyValueRegistrar.isTracking, let value = known?.erasedValue(from: subject) else {
      return try parsed.value(from: subject)
    }
    return value
  }
}

extension KeyPathPlan {
  /// The path of the given keys, if the declared types determine it.
  fileprivate convenience init?(_ path: ParsedKeyPath, from root: any KeyValueObservable.Type) {
    var properties: [KeyValueProperty] = []
    var owner: (any KeyValueObservable.Type)? = root
    for component in path.components {
      guard case .key(let key) = component, let type = owner,
        let property = PropertyTable.of(type).property(named: key),
        // A subclass may have another property of that key.
        !property.isPrivate, !property.name.isOfOneClass
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
      throw undefinedKey(key)
    }
    return property
  }

  /// The property that a string names, unless it is write-only.
  func readableProperty(forKey key: String) throws(KeyValueCodingError) -> KeyValueProperty {
    let property = try accessibleProperty(forKey: key)
    if property.isWriteOnly { throw .writeOnly(type: type(of: self), key: key) }
    return property
  }

  func undefinedKey(_ key: String) -> KeyValueCodingError {
    PropertyTable.of(type(of: self))
      .undefinedKey(key, among: Self.hasDynamicKeys ? dynamicKeys : [])
  }
}

extension PropertyTable {
  func accessibleProperty(forKey key: String) throws(KeyValueCodingError) -> KeyValueProperty {
    guard let property = property(named: key), !property.isPrivate else {
      throw undefinedKey(key)
    }
    return property
  }

  /// - `dynamicKeys`: The keys that an object has beside those of its class.
  func undefinedKey(_ key: String, among dynamicKeys: [String] = []) -> KeyValueCodingError {
    let keys = properties.filter { !$0.isPrivate }.map(\.key) + dynamicKeys
    return .undefinedKey(key, type: type, suggestion: nearest(to: key, among: keys))
  }
}
