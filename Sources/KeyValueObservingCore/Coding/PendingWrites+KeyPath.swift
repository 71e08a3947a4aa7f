extension PendingWrites {
  /// Adds the writes that set what a path of keys leads to from an object on.
  mutating func add(
    _ value: Any?, at path: ParsedKeyPath, from subject: some KeyValueObservable
  ) throws(KeyValueCodingError) {
    var search = WriteSearch(value: value, path: path, from: subject)
    while let (object, place) = search.nextObject() {
      let key = search.keys[place]
      if place == search.keys.count - 1 {
        try add(value, forKey: key, of: object)
      } else if let replacement = try search.replacement(
        for: object.value(forKey: key), behind: place + 1)
      {
        try add(replacement, forKey: key, of: object)
      }
    }
  }
}

/// Looks for the objects whose properties a write along a key path sets, one behind the other.
private struct WriteSearch {
  let keys: [String]
  private let value: Any?
  private let path: ParsedKeyPath
  /// Objects that have been found, and how many keys have led to each.
  ///
  /// They are looked into one after the other and not recursively: a path may be long, and objects
  /// lead in circles.
  private var found: [(object: any KeyValueObservable, place: Int)]
  private var visitedCount = 0
  /// Those of `found`, to find each once: one may stand in a collection twice, or several lead to it.
  private var known: Set<Finding> = []

  private struct Finding: Hashable {
    let object: ObjectIdentifier
    let place: Int
  }

  init(value: Any?, path: ParsedKeyPath, from subject: any KeyValueObservable) {
    // A nil inside an optional removes an entry, too.
    self.value = value.flatMap { flatten($0) }
    self.path = path
    keys = path.keys
    found = [(subject, 0)]
  }

  mutating func nextObject() -> (any KeyValueObservable, place: Int)? {
    if visitedCount == found.count { return nil }
    visitedCount += 1
    return found[visitedCount - 1]
  }

  /// Finds the objects behind a link.
  ///
  /// Returns what the link has to hold instead, if something in it is no object but a value with
  /// another entry. It is of the same type, where that can hold it: a property for values of any
  /// type keeps what it was given.
  mutating func replacement(
    for link: Any?, behind place: Int, depth: Int = 0
  ) throws(KeyValueCodingError) -> Any? {
    guard let link else { throw .nilLink(keyPath: path.text, key: keys[place - 1]) }
    if let object = observableObject(link) {
      if known.insert(Finding(object: ObjectIdentifier(object), place: place)).inserted {
        found.append((object, place))
      }
      return nil
    }
    try path.checkDepth(depth)
    if let collection = link as? any MemberCollection {
      let members = collection.members
      return try replacement(for: members, behind: place, depth: depth).map {
        type(of: collection).init(converting: $0) ?? $0.collection
      }
    }
    if let dictionary = link as? any KeyedCollection, let entries = dictionary.entries {
      return try replacement(for: entries, behind: place, depth: depth).map { entries in
        type(of: dictionary).init(converting: entries.map { ($0.key, $0.value) }) ?? entries
      }
    }
    throw .notObservable(keyPath: path.text, key: keys[place - 1], type: type(of: link))
  }

  private mutating func replacement(
    for members: Members, behind place: Int, depth: Int
  ) throws(KeyValueCodingError) -> Members? {
    var values = members.values
    var isReplaced = false
    for index in values.indices {
      let replaced = try replacement(for: values[index], behind: place, depth: depth + 1)
      guard let replaced else { continue }
      values[index] = replaced
      isReplaced = true
    }
    return isReplaced ? Members(values, as: members.kind) : nil
  }

  private mutating func replacement(
    for entries: [String: Any?], behind place: Int, depth: Int
  ) throws(KeyValueCodingError) -> [String: Any?]? {
    var entries = entries
    let key = keys[place]
    if place == keys.count - 1 {
      entries[key] = value.map(Optional.some)
      return entries
    }
    let replaced = try replacement(
      for: entries[key].flatMap(\.self), behind: place + 1, depth: depth + 1)
    guard let replaced else { return nil }
    entries[key] = replaced
    return entries
  }
}
