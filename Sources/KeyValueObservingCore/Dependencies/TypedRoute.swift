/// Finds out which keys a typed key path runs through.
///
/// A key path cannot be taken apart. But the keys that were read suggest which it is made of, and
/// the same path put together from the class's own key paths has the same hash. Until that
/// succeeds (a link may be nil, or the path may run through values that are not observable
/// themselves), the path is evaluated for every change, which is slower and never wrong.
struct TypedRoute: PathRoute {
  private let keyPath: AnyKeyPath
  private let root: any KeyValueObservable.Type
  private let valueType: Any.Type
  /// The properties on the path, once they are known.
  private var properties: [KeyValueProperty]?
  private var leaf: LeafValue?
  /// Whether a link of the path is computed, so that one key of it is several reads.
  private var hasComputedLink = false
  /// The path, if it need not be evaluated.
  private(set) var knownPath: KnownPath?
  private var longestTried = 0
  /// How many reads of the running evaluation were those of `properties`, one by one.
  private var matched = 0

  init(_ keyPath: AnyKeyPath, root: any KeyValueObservable.Type) {
    self.keyPath = keyPath
    self.root = root
    valueType = type(of: keyPath).valueType
    if let known = PropertyTable.of(root).routes.find(keyPath) {
      take(known.takeUnretainedValue().properties)
      knownPath = known.takeUnretainedValue().path
    }
  }

  mutating func placement(of slot: Slot, at position: Int) -> Placement {
    if position == 0 { matched = 0 }
    guard let properties, let last = properties.last else { return Placement() }
    if hasComputedLink {
      let isOnPath = properties.contains { $0.kind != .computed && $0.name == slot.name }
      return Placement(rank: isOnPath ? .observer : .dependent)
    }
    if position == matched, position < properties.count, slot.name == properties[position].name {
      matched += 1
      let isLast = matched == properties.count
      return Placement(leaf: isLast ? leaf : nil, isBeforeLast: !isLast)
    }
    return Placement(rank: last.kind == .computed ? .dependent : .observer)
  }

  mutating func didRead(_ links: [Link], _ reading: Reading) -> Reading {
    guard let properties, let last = properties.last else {
      let isKnown = links.count > longestTried && findProperties(links)
      longestTried = max(longestTried, links.count)
      return Reading(areBeforeLast: guess(links), mustRepeat: isKnown)
    }
    if links.count > properties.count, leaf != nil, !hasComputedLink {
      // A subclass computes the last property: its value is not that of the key.
      leaf = nil
      return Reading(areBeforeLast: reading.areBeforeLast, mustRepeat: true)
    }
    if hasComputedLink {
      // Behind a computed link only a stored last key can be told from the links.
      let isWhole = links.last?.slot?.name == last.name
      return Reading(
        areBeforeLast: links.indices.map { $0 < links.count - 1 || !isWhole })
    }
    let isOnRoute = matched >= min(links.count, properties.count - 1)
    return isOnRoute ? reading : Reading(areBeforeLast: guess(links))
  }

  // MARK: Putting the path together

  private mutating func findProperties(_ links: [Link]) -> Bool {
    var budget = TypedRoute.searchBudget
    let names = links.compactMap { $0.slot?.name }
    guard let found = search(in: root, after: nil, names[...], &budget) else { return false }
    take(found)
    // A path that unwraps a link traps where that is nil, which only evaluating it does.
    let isForced =
      !(valueType is any OptionalValue.Type)
      && found.dropLast().contains { $0.valueType is any OptionalValue.Type }
    let path =
      hasComputedLink || isForced
      ? nil : leaf.flatMap { KnownPath(found, from: root, leaf: $0) }
    PropertyTable.of(root).routes.insert(KnownRoute(keyPath, found, path))
    knownPath = path
    return true
  }

  private mutating func take(_ properties: [KeyValueProperty]) {
    self.properties = properties
    hasComputedLink = properties.dropLast().contains { $0.kind == .computed }
    leaf = hasComputedLink ? nil : properties.last.flatMap(leafValue)
  }

  /// The properties that go on from `path` to the whole key path, given the keys that were read.
  private func search(
    in type: any KeyValueObservable.Type, after path: AnyKeyPath?, _ names: ArraySlice<KeyName>,
    _ budget: inout Int
  ) -> [KeyValueProperty]? {
    for property in PropertyTable.of(type).properties {
      // A constant is not noted when it is read, and a computed property reads what it likes.
      var rest = names
      if property.kind == .stored || property.kind == .weak {
        let place = names.firstIndex { $0 == property.name }
        // Nor is a weak constant, by a key path of the user.
        if place == nil, property.kind == .stored || !property.isReadOnly { continue }
        if let place { rest = names[(place + 1)...] }
      }
      for longer in extensions(of: path, by: property) {
        budget -= 1
        if budget <= 0 { return nil }
        if isWhole(longer) { return [property] }
        if let next = unwrappedType(property.valueType) as? any KeyValueObservable.Type,
          let others = search(in: next, after: longer, rest, &budget)
        {
          return [property] + others
        }
      }
    }
    return nil
  }

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

  private func leafValue(of property: KeyValueProperty) -> LeafValue? {
    if property.kind == .computed { return nil }
    if property.valueType == valueType { return .same }
    guard let optional = valueType as? any OptionalValue.Type,
      optional.wrappedType == property.valueType
    else { return nil }
    return .wrapped(property)
  }

  /// What the types of the properties say: a key that holds an observable object leads on to it.
  ///
  /// One whose type is a protocol for classes leads on as well if it is not the last. What comes
  /// behind it is not known, and taken for the value.
  private func guess(_ links: [Link]) -> [Bool] {
    var areBeforeLast = [Bool](repeating: false, count: links.count)
    var type: (any KeyValueObservable.Type)? = root
    for place in links.indices {
      guard let current = type, let slot = links[place].slot,
        let property = PropertyTable.of(current).property(named: slot.name.text)
      else { break }
      let held = unwrappedType(property.valueType)
      type = held as? any KeyValueObservable.Type
      let isLast = place == links.count - 1 && held == unwrappedType(valueType)
      areBeforeLast[place] = type != nil || !isLast && isObjectExistential(held)
    }
    return areBeforeLast
  }
}
