/// How many attachments ask for what.
struct DemandCounts {
  private(set) var union: Demand = []
  private var old: Int32 = 0
  private var new: Int32 = 0
  private var prior: Int32 = 0
  private var phases: Int32 = 0
  private var root: Int32 = 0

  @inline(__always)
  mutating func add(_ demand: Demand) {
    count(demand, by: 1)
    union.formUnion(demand)
  }

  @inline(__always)
  mutating func remove(_ demand: Demand) {
    count(demand, by: -1)
    union = []
    if old > 0 { union.insert(.old) }
    if new > 0 { union.insert(.new) }
    if prior > 0 { union.insert(.prior) }
    if phases > 0 { union.insert(.phases) }
    if root > 0 { union.insert(.root) }
  }

  @inline(__always)
  private mutating func count(_ demand: Demand, by step: Int32) {
    old += demand.contains(.old) ? step : 0
    new += demand.contains(.new) ? step : 0
    prior += demand.contains(.prior) ? step : 0
    phases += demand.contains(.phases) ? step : 0
    root += demand.contains(.root) ? step : 0
  }
}
