/// Finds out which keys a typed key path runs through.
///
/// # How a path finds its parts
///
/// Swift does not say of which keys a key path consists. A string does (`ParsedKeyPath`). A typed key path is
/// first evaluated while a `ReadRecorder` notes what is read: those keys suggest the parts, and the same path
/// put together from the key paths of the classes has the same hash and type, which proves the guess
/// (`search`). It is searched for once for each class and literal; `PropertyTable` remembers what was found.
///
/// - If all parts are stored, they become a `KeyPathPlan`. `KeyPathRewirer` walks it from object to object,
///   and attaches a `Link` to each key, before it reads the value.
/// - If a part is computed, or a subclass overrides it, the path is read key by key under a recorder
///   (`KeyPathReader`), since the getter may read any other key.
/// - Until the search succeeds (an intermediate object may be nil, or the path may run through values that
///   are not observable), the path is evaluated at every change: slower, and never wrong.
struct TypedDecomposition: KeyPathDecomposition {
  private let keyPath: AnyKeyPath
  private let root: any KeyValueObservable.Type
  private let valueType: Any.Type
  /// The properties on the path, once they are known.
  private var properties: [KeyValueProperty]?
  /// Whether the path can be walked key by key although it is not a `KeyPathPlan`, or although a
  /// class on it computes one of its keys: each key then reports its reads and its declared
  /// dependencies.
  private var isWalked = false
  /// The path, if it need not be evaluated.
  private(set) var plan: KeyPathPlan?
  private var longestTried = -1
  /// How many reads of the running evaluation were those of `properties`, one by one.
  private var matched = 0
  /// The reads of the running evaluation, as long as the properties are not known.
  private var trail = KeyPathTrail()

  init(_ keyPath: AnyKeyPath, root: any KeyValueObservable.Type) {
    self.keyPath = keyPath
    self.root = root
    valueType = type(of: keyPath).valueType
    if let known = PropertyTable.of(root).decompositions.find(keyPath) {
      take(known.takeUnretainedValue().properties)
      plan = known.takeUnretainedValue().path
    }
  }

  mutating func role(of observedKey: ObservedKey, in table: PropertyTable, at position: Int)
    -> LinkRole
  {
    if position == 0 { matched = 0 }
    guard let properties else {
      trail.note(observedKey, in: table, at: position)
      return LinkRole()
    }
    if position == matched, position < properties.count,
      observedKey.name == properties[position].name
    {
      matched += 1
      return LinkRole(isBeforeLast: matched < properties.count)
    }
    return LinkRole()
  }

  mutating func didRead(_ links: [Link], _ reading: ReadSummary) -> ReadSummary {
    guard let properties else {
      let isKnown = links.count > longestTried && findProperties(links)
      longestTried = max(longestTried, links.count)
      return ReadSummary(areBeforeLast: placeLinks(links), mustRepeat: isKnown)
    }
    if isWalked { return reading }
    let isOnRoute = matched >= min(links.count, properties.count - 1)
    return isOnRoute ? reading : ReadSummary(areBeforeLast: guess(links))
  }

  // MARK: Walking

  func value(from subject: AnyObject) -> AnyValueBox? {
    guard isWalked, let last = properties?.last, var object = observableObject(subject) else {
      return nil
    }
    for property in properties?.dropLast() ?? [] {
      let value = KeyPathReader.read(property, of: object, endingIn: nil) { $0.value(of: $1) }
      guard let next = value.flatMap({ observableObject($0) }) else {
        // A path that unwraps it traps where it is evaluated.
        return isForced ? nil : LeafValue(of: last, in: valueType)?.none(of: last)
      }
      object = next
    }
    return KeyPathReader.read(last, of: object, endingIn: valueType) {
      $0.valueType == valueType ? $0.box(of: $1) : $0.optionalBox(of: $1)
    }
  }

  /// Whether the path unwraps a link and traps where that is nil, which only evaluating it does.
  private var isForced: Bool {
    guard let properties, !(valueType is any OptionalValue.Type) else { return false }
    return properties.dropLast().contains { $0.valueType is any OptionalValue.Type }
  }

  // MARK: Putting the path together

  private mutating func findProperties(_ links: [Link]) -> Bool {
    let names = links.compactMap { $0.observedKey?.name }
    var search = Search(budget: TypedDecomposition.searchBudget)
    var found = self.search(in: root, after: nil, names[...], &search)
    // If a computed link is nil, nothing after it was read.
    for depth in 2...TypedDecomposition.greatestDepth where found == nil {
      search = Search(budget: TypedDecomposition.searchBudget, isRelaxed: true, depth: depth)
      found = self.search(in: root, after: nil, names[...], &search)
    }
    guard let found else { return false }
    take(found)
    let path = isForced ? nil : leaf.flatMap { KeyPathPlan(found, from: root, leaf: $0) }
    // A property by itself is found in the table (`PropertyTable.property(at:of:)`): no route. A key path
    // through a subscript is another object whenever it is formed, so none is found by its identity.
    if found.count > 1, !found.contains(where: \.isSubscript) {
      PropertyTable.of(root).decompositions.insert(CachedDecomposition(keyPath, found, path))
    }
    plan = path
    return true
  }

  /// The properties on a key path that there is no object to read along, as far as they can be found.
  static func properties(
    of keyPath: AnyKeyPath, from root: any KeyValueObservable.Type
  ) -> [KeyValueProperty]? {
    let route = TypedDecomposition(keyPath, root: root)
    if let known = route.properties { return known }
    for depth in 2...greatestDepth {
      var search = Search(
        budget: 10 * searchBudget, isRelaxed: true, depth: depth, isBehindComputed: true)
      if let found = route.search(in: root, after: nil, [], &search) { return found }
    }
    return nil
  }

  private mutating func take(_ properties: [KeyValueProperty]) {
    self.properties = properties
    isWalked = leaf != nil
  }

  /// How the value of the last property is that of the path.
  private var leaf: LeafValue? {
    properties?.last.flatMap { LeafValue(of: $0, in: valueType) }
  }

  /// How far a search may still go.
  private struct Search {
    var budget: Int
    /// Whether keys behind a computed link need not have been read.
    var isRelaxed = false
    var depth = Int.max
    var isBehindComputed = false
  }

  /// The properties that go on from `path` to the whole key path, given the keys that were read.
  private func search(
    in type: any KeyValueObservable.Type, after path: AnyKeyPath?, _ names: ArraySlice<KeyName>,
    _ search: inout Search
  ) -> [KeyValueProperty]? {
    let table = PropertyTable.of(type)
    let subscripts = type.hasDynamicKeys ? table.subscripts.properties(named: names) : []
    for entry in subscripts.isEmpty ? table.entries : table.entries + subscripts {
      let own = entry.kind == .overriding ? table.property(named: entry.key) : entry
      guard let property = own else { continue }
      // A constant is not noted when it is read, and a computed property reads what it likes.
      var rest = names
      if property.kind == .stored || property.kind == .weak {
        if let index = names.firstIndex(where: { $0 == property.name }) {
          rest = names[(index + 1)...]
        } else if !(search.isRelaxed && search.isBehindComputed),
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
        if search.depth > 1,
          let next = observableType(unwrappedType(property.valueType)),
          let others = goOn(from: property, in: next, after: longer, rest, &search)
        {
          return [property] + others
        }
      }
    }
    return nil
  }

  private func goOn(
    from property: KeyValueProperty, in type: any KeyValueObservable.Type, after path: AnyKeyPath,
    _ names: ArraySlice<KeyName>, _ search: inout Search
  ) -> [KeyValueProperty]? {
    var inner = search
    inner.depth -= 1
    if property.kind == .computed { inner.isBehindComputed = true }
    defer { search.budget = inner.budget }
    return self.search(in: type, after: path, names, &inner)
  }

  private static var greatestDepth: Int { 4 }

  /// Enough for every path that people write, and little enough for one that cannot be found.
  private static var searchBudget: Int { 200 }

  /// A path that goes on with a property: behind an optional link by chaining or by unwrapping it.
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
    path.hashValue == keyPath.hashValue && Swift.type(of: path).valueType == valueType
  }

  /// For each link, whether its key comes before the last one.
  private mutating func placeLinks(_ links: [Link]) -> [Bool] {
    let guessed = guess(links)
    guard let placed = trail.areBeforeLast(of: links) else { return guessed }
    // The types know of a last link that is nil, or leads to a constant, and of links in a ring.
    return zip(placed, guessed).map { $0 || $1 }
  }

  /// The parts according to the types of the properties: a key that holds an observable object
  /// leads on.
  ///
  /// A key whose type is a class-bound protocol leads on as well if it is not the last. Keys after
  /// it are not known, and taken for the value.
  private func guess(_ links: [Link]) -> [Bool] {
    var areBeforeLast = [Bool](repeating: false, count: links.count)
    var type: (any KeyValueObservable.Type)? = root
    for index in links.indices {
      guard let table = type.map({ PropertyTable.of($0) }),
        let observedKey = links[index].observedKey,
        let property = table.hiddenProperty(named: observedKey.name)
          ?? table.property(named: observedKey.name.key)
      else { break }
      let held = unwrappedType(property.valueType)
      type = observableType(held)
      let isLast = index == links.count - 1 && held == unwrappedType(valueType)
      areBeforeLast[index] = type != nil || !isLast && isObjectExistential(held)
    }
    return areBeforeLast
  }
}
