internal import Synchronization

/// The properties of one class, made when the class is first asked for one.
@usableFromInline
final class PropertyTable: AddressTableEntry, @unchecked Sendable {  // immutable once it is found
  let type: any KeyValueObservable.Type
  /// The class, if its objects are notified of being observed.
  let source: (any KeyValueSource.Type)?
  let properties: [KeyValueProperty]
  /// All that has a key path of the class: its properties, after overrides that only add observers.
  let entries: [KeyValueProperty]
  private let byKey: [String: ClassProperty]
  private let byKeyPath: [Int: ClassProperty]
  /// Private properties of superclasses, to the keys of which the class has properties of its own.
  private let hidden: [KeyValueProperty]
  /// By the text of names.
  private let dependencies: [String: [DeclaredKeyPath]]
  private let manualKeys: Set<String>
  /// The names of what the class computes though a superclass has it.
  private let overriddenNames: Set<String>
  /// Notifies the registrar of the module `Observation`, if the class is `Observable`.
  let tracker: KeyValueProperty?
  private let keyPaths = AddressTable<KeyPathEntry>(listCount: 64)
  private let keyPathCount = Atomic<Int>(0)
  private let searchedKeyPaths = AddressTable<SearchedKeyPath>(listCount: 16)
  private let searchedCount = Atomic<Int>(0)
  /// The subscripts that name the entries of its objects in typed key paths.
  let subscripts = EntrySubscripts()
  /// The string paths that were used.
  let stringPaths = TextCache<KeyPathPlan>(limit: 256)

  private init(of type: any KeyValueObservable.Type) {
    self.type = type
    let source = type as? any KeyValueSource.Type
    self.source = source
    var byKey: [String: KeyValueProperty] = [:]
    var byKeyPath: [Int: KeyValueProperty] = [:]
    var declared: [String: Set<String>] = [:]
    var order: [String] = []
    var hidden: [KeyValueProperty] = []
    var overriddenNames: Set<String> = []
    let listed = type.keyValueProperties()
    for property in listed where property.kind != .overriding && property.kind != .tracker {
      // A subclass that overrides a property lists it again. Under another name it is another one.
      if let former = byKey.updateValue(property, forKey: property.key) {
        if former.name != property.name {
          hidden.append(former)
        } else if property.kind == .computed {
          overriddenNames.insert(property.name.text)
        }
      } else {
        order.append(property.key)
      }
      if let keyPath = property.keyPath { byKeyPath[keyPath.hashValue] = property }
      declared[property.name.text, default: []].formUnion(property.dependsOn)
    }
    let overrides = listed.filter { $0.kind == .overriding && byKey[$0.key] != nil }
    for override in overrides {
      if let keyPath = override.keyPath { byKeyPath[keyPath.hashValue] = byKey[override.key] }
    }
    var ancestor: AnyClass? = type
    while let observable = ancestor as? any KeyValueObservable.Type {
      for property in byKey.values + hidden {
        declared[property.name.text, default: []].formUnion(
          observable.keyPathsForValuesAffectingValue(forKey: property.key)
            .union(observable._$keyPathsForValuesAffecting(property.key)))
      }
      ancestor = _getSuperclass(observable)
    }
    let dependencies = declared.filter { !$0.value.isEmpty }.mapValues {
      $0.sorted().map { DeclaredKeyPath($0) }
    }
    let manualKeys = Set(order.filter { !type.automaticallyNotifiesObservers(forKey: $0) })
    func classProperty(_ property: KeyValueProperty) -> ClassProperty {
      ClassProperty(
        property, of: type, source, isManual: manualKeys.contains(property.key),
        hasDependencies: dependencies[property.name.text] != nil)
    }
    let classProperties = byKey.mapValues(classProperty)
    self.byKey = classProperties
    self.byKeyPath = byKeyPath.mapValues { property in
      classProperties[property.key].flatMap { $0.property === property ? $0 : nil }
        ?? classProperty(property)
    }
    tracker = listed.last { $0.kind == .tracker }
    self.hidden = hidden
    self.dependencies = dependencies
    self.manualKeys = manualKeys
    self.overriddenNames = overriddenNames
    properties = order.compactMap { byKey[$0] }
    entries = overrides + properties
    super.init(address: UInt(bitPattern: ObjectIdentifier(type)))
  }

  /// The properties, and private ones of superclasses that they hide.
  var allProperties: [KeyValueProperty] { properties + hidden }

  /// Whether the class lists more properties than its superclass.
  ///
  /// A subclass does not without the macro, nor with it if it has no property but ignored ones.
  var addsProperties: Bool {
    guard let superclass = _getSuperclass(type) as? any KeyValueObservable.Type else { return true }
    return type.keyValueProperties().count > superclass.keyValueProperties().count
  }

  func property(named key: String) -> KeyValueProperty? { byKey[key]?.property }

  /// The private property of a superclass with a name, if the class has another property with its key.
  func hiddenProperty(named name: KeyName) -> KeyValueProperty? {
    hidden.first { $0.name == name }
  }

  /// All of these with a key; none for most keys.
  func hiddenProperties(forKey key: String) -> [KeyValueProperty] {
    hidden.isEmpty ? [] : hidden.filter { $0.key == key }
  }

  func classProperty(named key: String) -> ClassProperty? { byKey[key] }

  /// Whether the closure of an observer of a property can be an entry of the observer list itself.
  func takesClosures(_ property: KeyValueProperty) -> Bool {
    if property.isEntry {
      return source == nil && !isManual(property.name) && dependencies(of: property.name) == nil
    }
    guard let known = byKey[property.key] else { return false }
    return known.takesClosures && known.property === property
  }

  /// How many key paths to properties are remembered for observers.
  ///
  /// There are fewer literals in a program for one class, but generic code forms another key path object each
  /// time.
  private static var keyPathLimit: Int { 1024 }

  /// The knowledge of a key path.
  ///
  /// The property with a key path of a single component is found by hash, and remembered for the next time,
  /// unless there are too many. Key paths to one property may be unequal, one of them formed where the
  /// property can be set and the other where it cannot, but their hashes are those of the same
  /// components, and 64 bits wide.
  ///
  /// - `isForObserver`: Observers find room for more key paths also where generic code asks with ever new ones.
  @inline(__always)
  func known(_ keyPath: AnyKeyPath, isForObserver: Bool) -> KnownKeyPath {
    keyPaths.find(KeyPathEntry.address(of: keyPath))?._withUnsafeGuaranteedRef { $0.known }
      ?? learn(keyPath, isForObserver: isForObserver)
  }

  @inline(never)
  private func learn(_ keyPath: AnyKeyPath, isForObserver: Bool) -> KnownKeyPath {
    guard let property = byKeyPath[keyPath.hashValue] else { return KnownKeyPath() }
    let known = KnownKeyPath(property: .passUnretained(property))
    let limit = isForObserver ? PropertyTable.keyPathLimit : PropertyTable.keyPathLimit / 2
    remember(known, of: keyPath, upTo: limit)
    return known
  }

  // To find a plan takes so much longer than a property that it has room where there is none for more of those.
  /// Remembers the plan of a key path of several components.
  func remember(_ plan: KeyPathPlan, of keyPath: AnyKeyPath) {
    remember(
      KnownKeyPath(plan: .passUnretained(plan)), of: keyPath, upTo: 2 * PropertyTable.keyPathLimit)
  }

  private func remember(_ known: KnownKeyPath, of keyPath: AnyKeyPath, upTo limit: Int) {
    if keyPathCount.load(ordering: .relaxed) >= limit { return }
    keyPathCount.wrappingAdd(1, ordering: .relaxed)
    _ = keyPaths.insert(KeyPathEntry(keyPath, known))
  }

  /// Whether the plan of a key path was last searched for in vain when the same keys were read.
  func wasSearched(_ keyPathHash: UInt, for names: [KeyName]) -> Bool {
    searchedKeyPaths.find(keyPathHash)?._withUnsafeGuaranteedRef {
      $0.namesHash.load(ordering: .relaxed) == SearchedKeyPath.hash(of: names)
    } ?? false
  }

  /// Whether the plan of a key path was searched for in vain.
  func wasSearched(_ keyPathHash: UInt) -> Bool { searchedKeyPaths.find(keyPathHash) != nil }

  // A search takes as long as half of the registration (row: path into a struct).
  /// Remembers that the plan of a key path was searched for in vain when some keys were read.
  ///
  /// - `names`: Their names; nil if the same ones may show more another time.
  ///
  /// Of subscripts there may be ever new ones, with other arguments.
  func rememberSearch(_ keyPathHash: UInt, for names: [KeyName]?) {
    // The next search is one for other names.
    let hash = names.map { SearchedKeyPath.hash(of: $0) } ?? .max
    if let known = searchedKeyPaths.find(keyPathHash) {
      known._withUnsafeGuaranteedRef { $0.namesHash.store(hash, ordering: .relaxed) }
    } else if searchedCount.load(ordering: .relaxed) < 64 {
      searchedCount.wrappingAdd(1, ordering: .relaxed)
      _ = searchedKeyPaths.insert(SearchedKeyPath(keyPathHash, namesHash: hash))
    }
  }

  /// The declared dependencies of a key, in order; nil for most.
  func dependencies(of name: KeyName) -> [DeclaredKeyPath]? {
    dependencies.isEmpty ? nil : dependencies[name.text]
  }

  /// Whether a property of the class depends by declaration on a key of the object itself.
  func isInput(_ key: String) -> Bool {
    dependencies.values.contains { $0.contains { $0.keys == [key] } }
  }

  func isManual(_ name: KeyName) -> Bool {
    !manualKeys.isEmpty && manualKeys.contains(name.key)
  }

  /// Whether the class computes a key that a superclass has, and that its getter may read there.
  func isOverridden(_ name: KeyName) -> Bool {
    !overriddenNames.isEmpty && overriddenNames.contains(name.text)
  }

  // MARK: The tables of all classes

  // Never freed, as classes are never unloaded.
  private static let all = AddressTable<PropertyTable>(listCount: 256)

  /// The table of a class.
  ///
  /// - Complexity: O(1) on average, without a lock.
  static func of(_ type: any KeyValueObservable.Type) -> PropertyTable {
    unmanaged(of: type).takeUnretainedValue()
  }

  /// The table of a class, without a reference that all threads would count.
  static func unmanaged(of type: any KeyValueObservable.Type) -> Unmanaged<PropertyTable> {
    all.find(UInt(bitPattern: ObjectIdentifier(type))) ?? all.insert(PropertyTable(of: type))
  }

  /// A type that has been observed.
  ///
  /// Off the actor to which a conformance is isolated, as when an object is deallocated on another
  /// thread, no cast finds the conformance (P40).
  static func knownType(_ type: Any.Type) -> (any KeyValueObservable.Type)? {
    all.find(UInt(bitPattern: ObjectIdentifier(type)))?._withUnsafeGuaranteedRef { $0.type }
  }

  /// The property at a key path, for a caller that does not observe it.
  static func property(
    at keyPath: AnyKeyPath, of type: any KeyValueObservable.Type
  ) -> KeyValueProperty? {
    unmanaged(of: type)._withUnsafeGuaranteedRef {
      $0.known(keyPath, isForObserver: false).property?
        ._withUnsafeGuaranteedRef { $0.property }
    }
  }
}

extension KeyValueObservable {
  /// The property to which observers are attached under a name.
  ///
  /// That of a private property is its own, though a subclass may have another one with its key.
  func keyValueProperty(named name: KeyName) -> KeyValueProperty? {
    let property = keyValueProperty(forKey: name.key)
    if let property, property.name == name { return property }
    return PropertyTable.of(type(of: self)).hiddenProperty(named: name) ?? property
  }
}
