/// How many registrations ask for what.
///
/// Counted in 16 bits, because each observed key has these numbers (row: memory). One that has reached the
/// greatest number stays there: changes prepare for the need until the key has no observers, when its
/// counts begin anew.
struct NeedCounts {
  private(set) var union: ObserverNeeds = []
  private var old: UInt16 = 0
  private var new: UInt16 = 0
  private var prior: UInt16 = 0
  private var phases: UInt16 = 0
  private var root: UInt16 = 0

  @inline(__always)
  mutating func add(_ needs: ObserverNeeds) {
    union.formUnion(needs)
    if needs.contains(.old), old < .max { old += 1 }
    if needs.contains(.new), new < .max { new += 1 }
    if needs.isSimple { return }
    if needs.contains(.prior), prior < .max { prior += 1 }
    if needs.contains(.phases), phases < .max { phases += 1 }
    if needs.contains(.root), root < .max { root += 1 }
  }

  @inline(__always)
  mutating func remove(_ needs: ObserverNeeds) {
    if needs.contains(.old) { NeedCounts.remove(.old, from: &old, &union) }
    if needs.contains(.new) { NeedCounts.remove(.new, from: &new, &union) }
    if needs.isSimple { return }
    if needs.contains(.prior) { NeedCounts.remove(.prior, from: &prior, &union) }
    if needs.contains(.phases) { NeedCounts.remove(.phases, from: &phases, &union) }
    if needs.contains(.root) { NeedCounts.remove(.root, from: &root, &union) }
  }

  @inline(__always)
  private static func remove(
    _ need: ObserverNeeds, from count: inout UInt16, _ union: inout ObserverNeeds
  ) {
    if count == .max { return }
    count -= 1
    if count == 0 { union.remove(need) }
  }
}
