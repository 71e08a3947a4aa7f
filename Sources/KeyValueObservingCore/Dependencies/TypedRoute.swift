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
  private var longestTried = 0
  /// How many reads of the running evaluation were those of `properties`, one by one.
  private var matched = 0

  init(_ keyPath: AnyKeyPath, root: any KeyValueObservable.Type) {
    self.keyPath = keyPath
    self.root = root
    valueType = type(of: keyPath).valueType
  }

  mutating func placement(of slot: Slot, at position: Int) -> Placement {
    if position == 0 { matched = 0 }
    guard let properties, let last = properties.last else { return Placement() }
    if position == matched, position < properties.count, slot.name == properties[position].name {
      matched += 1
      let isLast = matched == properties.count
      return Placement(leaf: isLast ? leaf : nil, isBeforeLast: !isLast)
    }
    if last.kind == .computed, matched == properties.count - 1 {
      return Placement(rank: .dependent)
    }
    return Placement()
  }

  mutating func didRead(_ recording: Recording) -> Reading {
    let links = recording.links
    guard let properties else {
      let isKnown = links.count > longestTried && findProperties(links)
      longestTried = max(longestTried, links.count)
      return Reading(areBeforeLast: guess(links), mustRepeat: isKnown)
    }
    if links.count > properties.count, leaf != nil {
      // A subclass computes the last property: its value is not that of the key.
      leaf = nil
      return Reading(areBeforeLast: recording.areBeforeLast, mustRepeat: true)
    }
    let isOnRoute = matched >= min(links.count, properties.count - 1)
    return Reading(areBeforeLast: isOnRoute ? recording.areBeforeLast : guess(links))
  }

  // MARK: Putting the path together

  private mutating func findProperties(_ links: [Link]) -> Bool {
    var found: [KeyValueProperty] = []
    var path: AnyKeyPath?
    var type = root
    for link in links {
      guard let name = link.slot?.name.text,
        let property = PropertyTable.of(type).property(named: name),
        let longer = extend(path, by: property)
      else { return false }
      found.append(property)
      if isWhole(longer) {
        leaf = leafValue(of: property)
        properties = found
        return true
      }
      guard let next = unwrappedType(property.valueType) as? any KeyValueObservable.Type else {
        return false
      }
      for candidate in PropertyTable.of(next).properties
      where candidate.kind == .computed || candidate.kind == .constant {
        if let longest = extend(longer, by: candidate), isWhole(longest) {
          properties = found + [candidate]
          return true
        }
      }
      path = longer
      type = next
    }
    return false
  }

  private func extend(_ path: AnyKeyPath?, by property: KeyValueProperty) -> AnyKeyPath? {
    guard let path else { return property.keyPath }
    let isOptional = Swift.type(of: path).valueType is any OptionalValue.Type
    guard let step = isOptional ? property.chainedKeyPath : property.keyPath else { return nil }
    return path.appending(path: step)
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
    return .wrapped(optional)
  }

  /// What the types of the properties say: a key that holds an observable object leads on to it.
  private func guess(_ links: [Link]) -> [Bool] {
    var areBeforeLast = [Bool](repeating: false, count: links.count)
    var type: (any KeyValueObservable.Type)? = root
    for place in links.indices {
      guard let current = type, let slot = links[place].slot,
        let property = PropertyTable.of(current).property(named: slot.name.text),
        let next = unwrappedType(property.valueType) as? any KeyValueObservable.Type
      else { break }
      areBeforeLast[place] = true
      type = next
    }
    return areBeforeLast
  }
}
