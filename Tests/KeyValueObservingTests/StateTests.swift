import TestSupport
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  /// The pure state under the registrar, without objects, threads or callbacks.
  @Suite("State")
  struct StateTests {
    private final class Member: KeyValueObservingCore.Attachment {
      let number: Int

      init(_ number: Int, demand: Demand = []) {
        self.number = number
        super.init(demand: demand) { _, _ in }
      }
    }

    private func numbers(_ round: Round) -> [Int] {
      (0..<Int(round.observerCount)).compactMap {
        (round.observers![$0].attachment?.takeUnretainedValue() as? Member)?.number
      }
    }

    @Test("P10: an audience keeps the order of attaching through random comings and goings")
    func randomOrder() {
      var generator = SystemRandomNumberGenerator()
      for _ in 0..<50 {
        var state = SlotState()
        var members: [Member] = []
        for step in 0..<200 {
          if members.isEmpty || Bool.random(using: &generator) {
            let member = Member(step, demand: Bool.random() ? .old : .new)
            members.append(member)
            state.attach(member)
          } else {
            state.detach(members.remove(at: Int.random(in: members.indices, using: &generator)))
          }
          state.checkInvariants()
          let round = state.pin()
          #expect(numbers(round) == members.map(\.number))
          #expect(state.unpin() == nil)
        }
      }
    }

    @Test("P13: the audience of a change is fixed when the change begins")
    func fixedAudience() {
      var state = SlotState()
      let members = (0..<3).map { Member($0) }
      let others = (10..<30).map { Member($0) }
      state.attach(members[0])
      state.attach(members[1])
      let round = state.pin()
      state.attach(members[2])
      state.detach(members[0])
      for other in others { state.attach(other) }
      state.checkInvariants()
      // The one that went is still in its place; that it has ended is asked before it is called.
      #expect(numbers(round) == [0, 1])
      let departed = state.unpin()
      #expect(departed?.attachments.map { ($0 as? Member)?.number } == [0])
      state.checkInvariants()
      let next = state.pin()
      #expect(numbers(next) == [1, 2] + Array(10..<30))
      _ = state.unpin()
      withExtendedLifetime((members, others)) {}
    }

    @Test("P13: an observer that leaves while a change is prepared receives others begun since")
    func extendedAudience() {
      var state = SlotState()
      let leaver = Member(1)
      let stayer = Member(2)
      state.attach(leaver)
      state.attach(stayer)
      var prepared = state.pin()
      let other = state.pin()
      state.detach(leaver)
      let left = state.extend(&prepared)
      #expect(left.map { ($0 as? Member)?.number } == [1])
      #expect(!leaver.isAudience(of: prepared) && leaver.isAudience(of: other))
      state.detach(stayer)
      #expect(stayer.isAudience(of: prepared) && stayer.isAudience(of: other))
      _ = state.unpin()
      _ = state.unpin()
      state.checkInvariants()
    }

    @Test("P31: who ends during a delivery is kept until the last delivery is done")
    func keptWhilePinned() {
      var state = SlotState()
      var member: Member? = Member(1)
      weak let watched = member
      state.attach(member!)
      _ = state.pin()
      _ = state.pin()
      state.detach(member!)
      member = nil
      #expect(watched != nil)
      _ = state.unpin()
      #expect(watched != nil)
      _ = state.unpin()
      #expect(watched == nil)
      state.checkInvariants()
    }

    @Test("P16: a slot without observers demands nothing")
    func demand() {
      var state = SlotState()
      let old = Member(1, demand: [.old, .prior])
      let new = Member(2, demand: .new)
      state.attach(old)
      state.attach(new)
      let both = state.pin().demand
      #expect(both == [.old, .prior, .new])
      _ = state.unpin()
      state.detach(old)
      let one = state.pin().demand
      #expect(one == .new)
      _ = state.unpin()
      state.detach(new)
      let isObserved = state.isObserved
      #expect(!isObserved)
      state.checkInvariants()
    }

    @Test(
      "P38: ending is O(1) in any order: ten times as many observers take ten times as long",
      arguments: EndingOrder.allCases)
    fileprivate func manyEnds(order: EndingOrder) {
      // Quadratic ends take a hundred times as long.
      #expect(growth(from: 5000, to: 50_000, measuring: order.timeToEnd) < 40)
    }

    @Test(
      "P19: observers that end around the first call of a pair do not extend the list",
      arguments: [true, false])
    func endsWithinPairs(areCompleted: Bool) {
      var state = SlotState()
      let stays = Member(0)
      state.attach(stays)
      // An open pair is kept among the extras.
      _ = state.madeExtras()
      for number in 1...100 {
        let member = Member(number)
        state.attach(member)
        var round = state.pin()
        state.pinDependents(&round)
        _ = state.hold(round)
        state.detach(member)
        if areCompleted {
          state.resume(&round)
          #expect(numbers(round) == [0])
          _ = state.unpin()
        } else {
          state.endHold()
        }
        state.checkInvariants()
      }
      let count = state.observers.count
      #expect(count < 10)
      #expect(stays.index == 0)
    }

    @Test("P33: deallocation takes time in proportion to the observed keys")
    func manyKeys() {
      #expect(growth(from: 1500, to: 15_000, measuring: timeToDie) < 40)
    }

    private func timeToDie(keys count: Int) -> Duration {
      var object = Optional(KeyValueDictionary())
      var heard: [Int] = []
      let observers = (0..<count).compactMap { place in
        try? KeyValueObserver(source: object!, keyPath: "\(place)", options: []) { _, _ in
          heard.append(place)
        }
      }
      let duration = processorTime { object = nil }
      #expect(heard == Array(0..<count))
      withExtendedLifetime(observers) {}
      return duration
    }
  }
}

private enum EndingOrder: CaseIterable {
  case firstInFirstOut, lastInFirstOut, random

  func timeToEnd(_ count: Int) -> Duration {
    let person = Person("a")
    var tokens = (0..<count).map { _ in person.observe(\.age) { _, _ in } }
    switch self {
    case .firstInFirstOut: break
    case .lastInFirstOut: tokens.reverse()
    case .random: tokens.shuffle()
    }
    let duration = processorTime { for token in tokens { token.invalidate() } }
    person.observationContext.checkInvariants()
    return duration
  }
}
