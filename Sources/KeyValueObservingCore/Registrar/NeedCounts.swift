/// How many registrations of a key have each need.
///
/// Counted in 8 bits, because each observed key has these numbers (row: memory). One that has reached the
/// greatest number stays there, and changes prepare for the need, until so few observers are left that they
/// are counted again.
struct NeedCounts {
  private var unionBits: UInt8 = 0
  private var old: UInt8 = 0
  private var new: UInt8 = 0
  private var prior: UInt8 = 0
  private var phases: UInt8 = 0
  private var root: UInt8 = 0

  /// How many observers and dependents are left when they are counted again: half of those that can be
  /// counted, so that one that is registered and ends does not cause it each time.
  static var recountedCount: Int32 { 127 }

  /// Whether there are more than can be counted, or there were.
  var isFull: Bool { max(max(old, new), max(prior, phases), root) == .max }

  /// The needs that were counted; those in higher bits are not.
  var union: ObserverNeeds { ObserverNeeds(rawValue: UInt16(unionBits)) }

  @inline(__always)
  mutating func add(_ needs: ObserverNeeds) {
    unionBits |= UInt8(truncatingIfNeeded: needs.rawValue)
    if needs.contains(.old), old < .max { old += 1 }
    if needs.contains(.new), new < .max { new += 1 }
    if needs.isSimple { return }
    if needs.contains(.prior), prior < .max { prior += 1 }
    if needs.contains(.phases), phases < .max { phases += 1 }
    if needs.contains(.root), root < .max { root += 1 }
  }

  @inline(__always)
  mutating func remove(_ needs: ObserverNeeds) {
    if needs.contains(.old) { NeedCounts.remove(.old, from: &old, &unionBits) }
    if needs.contains(.new) { NeedCounts.remove(.new, from: &new, &unionBits) }
    if needs.isSimple { return }
    if needs.contains(.prior) { NeedCounts.remove(.prior, from: &prior, &unionBits) }
    if needs.contains(.phases) { NeedCounts.remove(.phases, from: &phases, &unionBits) }
    if needs.contains(.root) { NeedCounts.remove(.root, from: &root, &unionBits) }
  }

  @inline(__always)
  private static func remove(
    _ need: ObserverNeeds, from count: inout UInt8, _ unionBits: inout UInt8
  ) {
    if count == .max { return }
    count -= 1
    if count == 0 { unionBits &= ~UInt8(truncatingIfNeeded: need.rawValue) }
  }
}
