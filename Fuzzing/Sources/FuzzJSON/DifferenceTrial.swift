import FuzzSupport

@testable import FuzzedCommand

/// Compares two arrays and makes the second from the first.
struct DifferenceTrial {
  private let former: [JSONValue]
  private let current: [JSONValue]

  init(_ former: [JSONValue], _ current: [JSONValue]) {
    (self.former, self.current) = (former, current)
  }

  func run() {
    let difference = ArrayDifference(from: former, to: current)
    let pairs = difference.pairs
    claim(zip(pairs, pairs.dropFirst()).allSatisfy { $0.former < $1.former }, "former places")
    claim(zip(pairs, pairs.dropFirst()).allSatisfy { $0.current < $1.current }, "current places")
    var made = former
    made.removeSubranges(difference.removals)
    for range in difference.insertions.ranges {
      made.insert(contentsOf: current[range], at: range.lowerBound)
    }
    claimEqual(made.count, current.count, "elements after removals and insertions")
    for pair in pairs { made[pair.current] = current[pair.current] }
    claimEqual(made, current, "what the difference makes of \(former)")
    if former == current {
      claim(pairs.allSatisfy { $0.former == $0.current }, "equal arrays are paired otherwise")
    }
    // Between two pairs elements go or come, never both: they would be a pair.
    let end = ArrayDifference.Pair(former: former.count, current: current.count)
    var next = ArrayDifference.Pair(former: 0, current: 0)
    for pair in pairs + [end] {
      claim(
        pair.former == next.former || pair.current == next.current,
        "elements of \(former) and \(current) are not paired")
      next = ArrayDifference.Pair(former: pair.former + 1, current: pair.current + 1)
    }
  }
}
