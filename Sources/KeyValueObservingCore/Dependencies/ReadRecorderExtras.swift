/// The part of a recording that few need: of many keys, of declared dependencies, and lists of keys.
final class ReadRecorderExtras {
  /// The links that have not been met again, where there are many and one of them was met out of turn:
  /// then none are behind those that were met.
  var unmatched: UnmatchedLinks?
  /// The keys that were met, where there are many.
  var observedKeys: Set<ObjectIdentifier> = []
  /// The keys whose declared dependencies have been followed.
  var followed: Set<ObjectIdentifier> = []
  /// The names of the keys that were read, in that order, if they are only listed; each owned.
  var listed: [KeyName] = []

  /// Notes that the key of a link was met.
  func noteMet(_ link: Unmanaged<Link>) {
    if observedKeys.isEmpty { return }
    link._withUnsafeGuaranteedRef { link in
      _ = observedKeys.insert(ObjectIdentifier(link.observedKey!))
    }
  }
}

/// The links of an evaluation that the next one has not met again, to be found in any order.
struct UnmatchedLinks {
  private var links: [Link?]
  private var indexes: [ObjectIdentifier: Int] = [:]

  init(_ links: ArraySlice<Link>) {
    self.links = Array(links)
    indexes.reserveCapacity(links.count)
    for (index, link) in links.enumerated() {
      if let observedKey = link.observedKey { indexes[ObjectIdentifier(observedKey)] = index }
    }
  }

  /// Takes out the link to a key, if there is one.
  ///
  /// - Complexity: O(1) on average.
  mutating func take(_ observedKey: ObservedKey) -> Link? {
    guard let index = indexes.removeValue(forKey: ObjectIdentifier(observedKey)) else { return nil }
    defer { links[index] = nil }
    return links[index]
  }

  /// The links that were not taken, in their order.
  var rest: [Link] { links.compactMap(\.self) }
}
