/// The part of a recording that few need: of many keys, of declared dependencies, and lists of keys.
final class ReadRecorderExtras {
  /// The keys that were met, where there are many.
  var observedKeys: Set<ObjectIdentifier> = []
  /// The keys whose declared dependencies have been followed.
  var followed: Set<ObjectIdentifier> = []
  /// The keys that were read, in that order, if they are only listed; each name owned.
  var listed: [(name: KeyName, object: ObjectIdentifier)] = []
  private var links: [Link?] = []
  private var indexes: [ObjectIdentifier: Int] = [:]

  /// Notes that the key of a link was met.
  func noteMet(_ link: Unmanaged<Link>) {
    if observedKeys.isEmpty { return }
    link._withUnsafeGuaranteedRef { link in
      _ = observedKeys.insert(ObjectIdentifier(link.observedKey!))
    }
  }

  // MARK: Links that have not been met again, where there are many and one was met out of turn

  var hasUnmatched: Bool { !links.isEmpty }

  /// Keeps links, to be found in any order.
  func keepUnmatched(_ links: [Link]) {
    self.links = links
    indexes.reserveCapacity(links.count)
    for (index, link) in self.links.enumerated() {
      if let observedKey = link?.observedKey { indexes[ObjectIdentifier(observedKey)] = index }
    }
  }

  /// Takes out the link to a key, if there is one.
  ///
  /// - Complexity: O(1) on average.
  func takeUnmatched(_ observedKey: ObservedKey) -> Link? {
    guard let index = indexes.removeValue(forKey: ObjectIdentifier(observedKey)) else { return nil }
    defer { links[index] = nil }
    return links[index]
  }

  /// The links that were not taken, in their order.
  var unmatched: [Link] { links.compactMap(\.self) }
}
