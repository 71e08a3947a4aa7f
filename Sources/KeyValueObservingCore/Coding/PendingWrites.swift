/// Writes that have been found possible and are still to be made, so that a failure comes before the
/// first of them.
struct PendingWrites {
  private var assignments: [() -> Void] = []
  /// What a hook of its class is asked to set. Only the hook knows whether it will.
  private var hooked: [(object: any KeyValueObservable, key: String, value: Any?)] = []

  mutating func add(
    _ value: Any?, forKey key: String, of object: any KeyValueObservable
  ) throws(KeyValueCodingError) {
    guard let property = object.keyValueProperty(forKey: key), !property.isPrivate else {
      return hooked.append((object, key, value))
    }
    do {
      assignments.append(try property.assignment(of: value, to: object))
    } catch .nilForNonOptional {
      hooked.append((object, key, value))
    }
  }

  /// Makes the writes. If a hook throws, nothing has been set but what hooks before it did, and that
  /// is set back.
  consuming func perform() throws(KeyValueCodingError) {
    try performHooked()
    for assign in assignments { assign() }
  }

  private func performHooked() throws(KeyValueCodingError) {
    var undo: [() -> Void] = []
    for (object, key, value) in hooked {
      let former = hooked.count == 1 ? nil : Result { try object.value(forKey: key) }
      do {
        try object.setValue(value, forKey: key)
      } catch {
        for undo in undo.reversed() { undo() }
        throw error
      }
      if case .success(let former) = former {
        undo.append { try? object.setValue(former, forKey: key) }
      }
    }
  }
}

// MARK: Along key paths

extension PendingWrites {
  /// Adds the writes that set what keys lead to from an object on.
  mutating func add(
    _ value: Any?, at keys: [String], of object: some KeyValueObservable, in keyPath: String
  ) throws(KeyValueCodingError) {
    let target = WriteTarget(value: value, keys: keys, keyPath: keyPath)
    _ = try replacement(for: object, behind: 0, target)
  }

  /// Adds the writes that set what is behind a link: `place` keys have led there.
  ///
  /// Returns what the link has to hold instead, if that is a value and not an object.
  private mutating func replacement(
    for link: Any?, behind place: Int, _ target: WriteTarget
  ) throws(KeyValueCodingError) -> Any? {
    guard let link else {
      throw .nilLink(keyPath: target.keyPath, key: target.keys[place - 1])
    }
    if let object = link as? any KeyValueObservable {
      try addWrite(in: object, behind: place, target)
      return nil
    }
    if let members = Members(link) {
      return try replacement(for: members, behind: place, target)
    }
    if let entries = (link as? any KeyedCollection)?.entries {
      return try replacement(for: entries, behind: place, target)
    }
    throw .notObservable(
      keyPath: target.keyPath, key: target.keys[place - 1], type: type(of: link))
  }

  private mutating func addWrite(
    in object: any KeyValueObservable, behind place: Int, _ target: WriteTarget
  ) throws(KeyValueCodingError) {
    let key = target.keys[place]
    if place == target.keys.count - 1 { return try add(target.value, forKey: key, of: object) }
    let next = try object.value(forKey: key)
    if let replacement = try replacement(for: next, behind: place + 1, target) {
      try add(replacement, forKey: key, of: object)
    }
  }

  private mutating func replacement(
    for members: Members, behind place: Int, _ target: WriteTarget
  ) throws(KeyValueCodingError) -> Any? {
    var values = members.values
    var isReplaced = false
    for index in values.indices {
      guard let value = try replacement(for: values[index], behind: place, target) else { continue }
      values[index] = value
      isReplaced = true
    }
    return isReplaced ? Members(values, as: members.kind).collection : nil
  }

  private mutating func replacement(
    for entries: [String: Any?], behind place: Int, _ target: WriteTarget
  ) throws(KeyValueCodingError) -> Any? {
    let key = target.keys[place]
    var entries = entries
    if place == target.keys.count - 1 {
      entries[key] = target.value.map(Optional.some)
      return entries
    }
    let next = entries[key] ?? nil
    guard let value = try replacement(for: next, behind: place + 1, target) else { return nil }
    entries[key] = value
    return entries
  }
}

/// What is to be set, and where.
private struct WriteTarget {
  let value: Any?
  let keys: [String]
  let keyPath: String
}
