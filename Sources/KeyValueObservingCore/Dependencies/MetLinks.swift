/// The links of a derived value while it is evaluated: those whose keys have been met, in that order, and behind them
/// those of the evaluation before that may still be.
///
/// Most evaluations meet the same keys in the same order.
struct MetLinks: ~Copyable {
  private(set) var links: [Link]
  /// How many have been met.
  private(set) var count = 0
  /// Whether they are not the same, in the same order, as before.
  private(set) var areOthers = false
  /// The object with the last key of a path, if every change of the path's course is notified.
  var leafOwner: AnyObject?

  init(known links: consuming [Link] = []) { self.links = links }

  // Not retained, since the list keeps it.
  /// The link that was met next in the evaluation before.
  var next: Unmanaged<Link>? {
    @inline(__always) get { count < links.count ? .passUnretained(links[count]) : nil }
  }

  /// The link that was met last.
  var last: Link? { count > 0 ? links[count - 1] : nil }

  /// Counts `next` among those that have been met.
  @inline(__always)
  mutating func meetNext() { count += 1 }

  /// Counts the link at an index among those that have been met.
  mutating func meet(at index: Int) {
    if index != count { links.insert(links.remove(at: index), at: count) }
    areOthers = areOthers || index != count
    count += 1
  }

  /// Counts the link at an index among those that have been met, if it is what the key needs now; otherwise takes
  /// it out.
  ///
  /// - `idle`: Gets what the former key of the link no longer needs, to be ended when others are attached.
  ///
  /// Returns the link that was met.
  mutating func meet(
    at index: Int, as role: LinkRole, _ order: NotificationOrder, _ idle: inout [IdleParts]
  ) -> Link? {
    let link = links[index]
    if link.role == role, link.order == order {
      meet(at: index)
      return link
    }
    link.takeOut(&idle)
    remove(at: index)
    return nil
  }

  /// Adds a link whose key was met.
  mutating func insert(_ link: consuming Link) {
    if count == links.count { links.append(link) } else { links.insert(link, at: count) }
    areOthers = true
    count += 1
  }

  /// Takes out a link that has not been met.
  mutating func remove(at index: Int) {
    areOthers = true
    links.remove(at: index)
  }

  /// Takes out the links that have not been met.
  @inline(__always)
  mutating func takeRest() -> [Link] {
    if count == links.count { return [] }
    let rest = Array(links[count...])
    links.removeSubrange(count...)
    areOthers = true
    return rest
  }

  /// Adds links that have not been met.
  mutating func append(_ rest: [Link]) { links += rest }

  mutating func reserveCapacity(_ capacity: Int) { links.reserveCapacity(capacity) }

  /// Begins another evaluation with the links that have been met.
  ///
  /// Returns the others.
  mutating func beginAgain() -> [Link] {
    defer { count = 0 }
    return takeRest()
  }
}
