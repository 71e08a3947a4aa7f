import TestSupport
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  @Suite("The demand of a subscriber")
  struct UnmetDemandTests {
    @Test("Values that are not requested are dropped where the newest is not kept")
    func dropping() {
      var demand = UnmetDemand<Int>(keepsNewest: false)
      #expect(demand.receive(1) == nil)
      #expect(demand.request(2) == nil)
      #expect([2, 3, 4].map { demand.receive($0) } == [2, 3, nil])
      #expect(demand.request(nil) == nil)
      #expect([5, 6].map { demand.receive($0) } == [5, 6])
      #expect(demand.request(0) == nil)
      #expect(demand.receive(7) == 7)
    }

    @Test("The newest value that is not requested waits, and is sent once")
    func keeping() {
      var demand = UnmetDemand<Int?>(keepsNewest: true)
      #expect(demand.receive(1) == nil)
      #expect(demand.receive(nil) == nil)
      #expect(demand.request(0) == nil)
      #expect(demand.request(2) == .some(nil))
      #expect(demand.request(1) == nil)
      #expect([2, 3, 4, 5].map { demand.receive($0) } == [2, 3, nil, nil])
      #expect(demand.request(1) == 5)
      #expect(demand.request(1) == nil)
    }

    @Test("P26: a value that is withdrawn is not sent, and takes no demand")
    func withdrawing() {
      var demand = UnmetDemand<Int>(keepsNewest: true)
      _ = demand.receive(1)
      #expect(demand.withdraw() == 1)
      #expect(demand.request(1) == nil)
      #expect(demand.withdraw() == nil)
      #expect([2, 3].map { demand.receive($0) } == [2, nil])
    }

    @Test("More than can be counted is any number")
    func overflow() {
      var demand = UnmetDemand<Int>(keepsNewest: false)
      _ = demand.request(.max)
      _ = demand.request(.max)
      #expect((0..<3).map { demand.receive($0) } == [0, 1, 2])
    }

    @Test(
      "Random requests and values are answered as by a model that looks at all that was",
      arguments: [false, true])
    func random(keepsNewest: Bool) {
      let seed = UInt64.random(in: 0...UInt64.max)
      var random = SplitMix(seed: seed)
      for _ in 0..<5000 {
        var demand = UnmetDemand<Int>(keepsNewest: keepsNewest)
        var steps: [Step] = []
        for number in 0..<Int.random(in: 1...30, using: &random) {
          let step = Step.random(number, using: &random)
          steps.append(step)
          let sent =
            switch step {
            case .value(let value): demand.receive(value)
            case .request(let more): demand.request(more)
            }
          guard sent == lastSent(of: steps, keepsNewest: keepsNewest) else {
            Issue.record("seed \(seed), \(steps): \(String(describing: sent))")
            return
          }
        }
      }
    }
  }
}

private enum Step {
  case value(Int)
  case request(Int?)

  static func random(_ number: Int, using random: inout SplitMix) -> Step {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<12: .value(number)
    case 12..<19: .request(Int.random(in: 0...3, using: &random))
    default: .request(nil)
    }
  }
}

/// The last element that some steps send, found by counting from the first one on.
private func lastSent(of steps: [Step], keepsNewest: Bool) -> Int? {
  var sent: [Int?] = []
  for place in steps.indices {
    let requested = steps[...place].reduce(0.0) { sum, step in
      guard case .request(let more) = step else { return sum }
      return sum + (more.map { Double($0) } ?? .infinity)
    }
    let isDue = requested > Double(sent.compacted.count)
    switch steps[place] {
    case .value(let value):
      sent.append(isDue ? value : nil)
    case .request:
      let newest = steps[..<place].compactMap { step in
        if case .value(let value) = step { value } else { nil }
      }.last
      let waits = keepsNewest && newest.map { !sent.compacted.contains($0) } ?? false
      sent.append(isDue && waits ? newest : nil)
    }
  }
  return sent.last!
}

extension [Int?] {
  fileprivate var compacted: [Int] { compactMap { $0 } }
}
