// An object, so that a recording that needs none, as most do, has one part more and not two.
/// The links of an evaluation that the next one has not met again, to be found in any order.
final class UnmetLinks {
  private var links: [Link?]
  private var places: [ObjectIdentifier: Int] = [:]

  init(_ links: ArraySlice<Link>) {
    self.links = Array(links)
    places.reserveCapacity(links.count)
    for (place, link) in links.enumerated() {
      if let slot = link.slot { places[ObjectIdentifier(slot)] = place }
    }
  }

  /// Takes out the link to a key, if there is one.
  ///
  /// - Complexity: O(1) on average.
  func take(_ slot: Slot) -> Link? {
    guard let place = places.removeValue(forKey: ObjectIdentifier(slot)) else { return nil }
    defer { links[place] = nil }
    return links[place]
  }

  /// The links that were not taken, in their order.
  var rest: [Link] { links.compactMap(\.self) }
}
