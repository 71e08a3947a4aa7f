// An object, so that a recording that needs none, as most do, has one part more and not two.
/// The links of an evaluation that the next one has not met again, to be found in any order.
final class UnmatchedLinks {
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
  func take(_ observedKey: ObservedKey) -> Link? {
    guard let index = indexes.removeValue(forKey: ObjectIdentifier(observedKey)) else { return nil }
    defer { links[index] = nil }
    return links[index]
  }

  /// The links that were not taken, in their order.
  var rest: [Link] { links.compactMap(\.self) }
}
