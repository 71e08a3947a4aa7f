/// How many registrations ask for what.
struct NeedCounts {
  private(set) var union: ObserverNeeds = []
  private var old: Int32 = 0
  private var new: Int32 = 0
  private var prior: Int32 = 0
  private var phases: Int32 = 0
  private var root: Int32 = 0

  @inline(__always)
  mutating func add(_ needs: ObserverNeeds) {
    count(needs, by: 1)
    union.formUnion(needs)
  }

  @inline(__always)
  mutating func remove(_ needs: ObserverNeeds) {
    count(needs, by: -1)
    union = []
    if old > 0 { union.insert(.old) }
    if new > 0 { union.insert(.new) }
    if prior > 0 { union.insert(.prior) }
    if phases > 0 { union.insert(.phases) }
    if root > 0 { union.insert(.root) }
  }

  @inline(__always)
  private mutating func count(_ needs: ObserverNeeds, by step: Int32) {
    old += needs.contains(.old) ? step : 0
    new += needs.contains(.new) ? step : 0
    prior += needs.contains(.prior) ? step : 0
    phases += needs.contains(.phases) ? step : 0
    root += needs.contains(.root) ? step : 0
  }
}
