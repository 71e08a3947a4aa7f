/// Finds out which keys a typed key path runs through.
///
/// # How a path finds its parts
///
/// Swift does not say which keys a key path consists of. A string does (`ParsedKeyPath`). A typed key path is
/// first evaluated while a `ReadRecorder` lists what is read: those keys suggest the parts, and the same path
/// put together from the key paths of the classes has the same hash and type, which proves the guess
/// (`search`). It is searched for once for each class and literal; `PropertyTable` remembers what was found
/// (`KnownKeyPath`), or which keys have suggested nothing (`SearchedKeyPath`).
///
/// A path that unwraps an optional, `\.author!.name`, stops the program where that is nil. So its parts are
/// searched for without reading (`planUnread`), and it has no value there.
///
/// - The parts become a `KeyPathPlan`. `KeyPathWalker` walks it from object to object, and attaches a `Link`
///   to each key before it reads the value.
/// - A path that is not found runs through something else than properties of observable objects: a subscript,
///   or a value. It is evaluated at every change while a `ReadRecorder` attaches to what is read
///   (`OpaqueKeyPath`): slower, and never wrong about the value.
struct KeyPathDecomposer {
  private let keyPath: AnyKeyPath
  private let root: any KeyValueObservable.Type
  private let valueType: Any.Type
  private let hash: UInt

  private init(_ keyPath: AnyKeyPath, root: any KeyValueObservable.Type) {
    self.keyPath = keyPath
    self.root = root
    valueType = type(of: keyPath).valueType
    hash = UInt(bitPattern: keyPath.hashValue)
  }

  /// The plan of a key path that is not known yet, nil if it is not found.
  ///
  /// - `read`: Reads the value at the key path.
  static func plan(
    of keyPath: AnyKeyPath, from root: any KeyValueObservable.Type, readBy read: () -> Void
  ) -> KeyPathPlan? {
    let decomposer = KeyPathDecomposer(keyPath, root: root)
    return decomposer.planUnread()
      ?? ReadRecorder.withKeys(readBy: read) { decomposer.plan(named: $0.map(\.name)) }
  }

  /// The plan of a key path that is known, or unwraps optionals and is found; nil for any other one.
  static func planUnread(
    of keyPath: AnyKeyPath, from root: any KeyValueObservable.Type
  ) -> KeyPathPlan? {
    KnownKeyPath.of(keyPath, from: root).plan?.takeUnretainedValue()
      ?? KeyPathDecomposer(keyPath, root: root).planUnread()
  }

  // Swift's description of a key path shows where it unwraps, and takes ten times as long as the rest of a
  // registration, so that it is asked for once (row: path into a struct, register + end).
  /// The plan of a key path that unwraps optionals, found without reading it.
  private func planUnread() -> KeyPathPlan? {
    let table = PropertyTable.of(root)
    // A class with dynamic keys has subscripts, of which each key path is another object and too many are to be remembered.
    if root.hasDynamicKeys || table.wasSearched(hash) { return nil }
    guard keyPath.debugDescription.contains("!"), let found = propertiesUnread(),
      found.count > 1, !found.contains(where: \.isSubscript),
      let plan = KeyPathPlan(found, from: root, to: valueType)
    else { return nil }
    table.remember(plan, of: keyPath)
    return plan
  }

  /// The plan that some names suggest, in the order in which they were read.
  private func plan(named names: [KeyName]) -> KeyPathPlan? {
    let table = PropertyTable.of(root)
    if table.wasSearched(hash, for: names) { return nil }
    var search = Search(budget: Self.searchBudget)
    var found = self.search(in: root, after: nil, names[...], &search)
    // Nothing is read behind an intermediate object that is nil.
    for depth in 2...Self.greatestDepth where found == nil {
      search.budget = Self.searchBudget
      search.isRelaxed = true
      search.depth = depth
      found = self.search(in: root, after: nil, names[...], &search)
    }
    guard let found, let plan = KeyPathPlan(found, from: root, to: valueType) else {
      table.rememberSearch(hash, for: search.mayFindMore ? nil : names)
      return nil
    }
    // A property by itself is found in the table. A key path through a subscript is another object whenever
    // it is formed, so none is found by its identity.
    if found.count > 1, !found.contains(where: \.isSubscript) { table.remember(plan, of: keyPath) }
    return plan
  }

  /// The properties on a key path that there is no object to read along, as far as they can be found.
  static func properties(
    of keyPath: AnyKeyPath, from root: any KeyValueObservable.Type
  ) -> [KeyValueProperty]? {
    let known = KnownKeyPath.of(keyPath, from: root)
    if let property = known.property { return [property._withUnsafeGuaranteedRef { $0.property }] }
    if let plan = known.plan { return plan._withUnsafeGuaranteedRef { $0.properties } }
    return KeyPathDecomposer(keyPath, root: root).propertiesUnread()
  }

  private func propertiesUnread() -> [KeyValueProperty]? {
    for depth in 2...Self.greatestDepth {
      var search = Search(
        budget: 10 * Self.searchBudget, isRelaxed: true, depth: depth, isBehindComputed: true)
      if let found = self.search(in: root, after: nil, [], &search) { return found }
    }
    return nil
  }

  /// How far a search may still go.
  private struct Search {
    var budget: Int
    /// Whether keys behind a computed component, and behind the last one that was read, need not have been read.
    var isRelaxed = false
    var depth = Int.max
    var isBehindComputed = false
    /// Whether the same names may show more another time: a class has subscripts, which its objects make known,
    /// or its conformance is isolated to an actor, and so is not found by all threads until it is known.
    var mayFindMore = false
  }

  /// The properties that go on from `path` to the whole key path, given the keys that were read.
  private func search(
    in type: any KeyValueObservable.Type, after path: AnyKeyPath?, _ names: ArraySlice<KeyName>,
    _ search: inout Search
  ) -> [KeyValueProperty]? {
    let table = PropertyTable.of(type)
    var subscripts: [KeyValueProperty] = []
    if type.hasDynamicKeys {
      subscripts = table.subscripts.properties(named: names)
      search.mayFindMore = true
    }
    for entry in subscripts.isEmpty ? table.entries : table.entries + subscripts {
      guard
        let property = entry.kind == .overriding ? table.property(named: entry.key) : entry
      else { continue }
      let held = unwrappedType(property.valueType)
      let next = search.depth > 1 ? observableType(held) : nil
      if next == nil, search.depth > 1, held is AnyClass { search.mayFindMore = true }
      if next == nil, held != unwrappedType(valueType) { continue }
      // A constant is not noted when it is read, and a computed property reads what it likes.
      var rest = names
      if property.kind == .stored || property.kind == .weak {
        if let index = names.firstIndex(where: { $0 == property.name }) {
          rest = names[(index + 1)...]
        } else if !(search.isRelaxed && (search.isBehindComputed || path != nil && names.isEmpty)),
          // Nor is a weak constant noted, by a key path of the user.
          property.kind == .stored || !property.isReadOnly
        {
          continue
        }
      }
      for longer in extensions(of: path, by: entry) {
        search.budget -= 1
        if search.budget <= 0 { return nil }
        if isWhole(longer) { return [property] }
        guard let next else { continue }
        var inner = search
        inner.depth -= 1
        if property.kind == .computed { inner.isBehindComputed = true }
        let others = self.search(in: next, after: longer, rest, &inner)
        search.budget = inner.budget
        search.mayFindMore = inner.mayFindMore
        if let others { return [property] + others }
      }
    }
    return nil
  }

  private static var greatestDepth: Int { 4 }

  /// Enough for every path that people write, and little enough for one that cannot be found.
  private static var searchBudget: Int { 200 }

  /// A path that goes on with a property: behind an optional component by chaining or by unwrapping it.
  private func extensions(of path: AnyKeyPath?, by property: KeyValueProperty) -> [AnyKeyPath] {
    guard let step = property.keyPath else { return [] }
    guard let path else { return [step] }
    guard let optional = Swift.type(of: path).valueType as? any OptionalValue.Type else {
      return [path.appending(path: step)].compactMap(\.self)
    }
    let chained = property.chainedKeyPath.flatMap { path.appending(path: $0) }
    let forced = path.appending(path: optional.unwrapping)?.appending(path: step)
    return [chained, forced].compactMap(\.self)
  }

  private func isWhole(_ path: AnyKeyPath) -> Bool {
    UInt(bitPattern: path.hashValue) == hash && Swift.type(of: path).valueType == valueType
  }
}
