import TestSupport
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  /// The pure state under async sequences, without tasks or threads.
  @Suite("State of async sequences")
  struct AsyncStateTests {
    typealias Policy = ElementBuffer<Int>.Policy

    @Test(
      "P41: a buffer keeps what its policy says, in order, through random comings and goings",
      arguments: [
        Policy.unbounded, .bufferingNewest(0), .bufferingNewest(1), .bufferingNewest(4),
        .bufferingOldest(0), .bufferingOldest(1), .bufferingOldest(4),
      ])
    func randomBuffers(policy: Policy) {
      for _ in 0..<50 {
        var buffer = ElementBuffer<Int>(policy)
        var model: [Int] = []
        for step in 0..<200 {
          if Int.random(in: 0..<5) < 2 {
            #expect(buffer.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
          } else if step == 3 {
            #expect(buffer.begin(with: -1) == trim(&model, to: policy, after: { [-1] + $0 }))
          } else {
            #expect(buffer.append(step) == trim(&model, to: policy, after: { $0 + [step] }))
          }
        }
      }
    }

    /// Makes a model what `change` makes of it, without the one element that is too many.
    private func trim(
      _ model: inout [Int], to policy: Policy, after change: ([Int]) -> [Int]
    ) -> Int? {
      model = change(model)
      switch policy {
      case .bufferingNewest(let limit) where model.count > limit: return model.removeFirst()
      case .bufferingOldest(let limit) where model.count > limit: return model.removeLast()
      default: return nil
      }
    }

    @Test("P41: changes on another thread before the current value was read come after it")
    func earlyChanges() {
      let broadcast = Broadcast<Int>(.unbounded, keepsLast: true)
      broadcast.send(1)
      broadcast.begin(with: 0)
      broadcast.send(2)
      #expect(take(from: broadcast) == [0, 1, 2])
      #expect(take(from: broadcast) == [2])
      broadcast.parcels.close()
      #expect(take(from: broadcast) == [])
    }

    @Test("P41: a correction is sent only if nothing was sent meanwhile")
    func corrections() {
      var state = BroadcastState(.unbounded, keepsLast: false)
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2) { threads in
        let thread = UnsafeMutableRawPointer(threads.baseAddress!)
        _ = state.send(ElementParcel(1), from: thread, keeping: nil)
        _ = state.send(ElementParcel(2), from: thread, keeping: nil)
        #expect(state.numberOfSharedElement == nil)
        _ = state.send(ElementParcel(3), from: thread + 1, keeping: nil)
        #expect(state.numberOfSharedElement == 3)
        _ = state.send(ElementParcel(4), from: thread + 1, keeping: nil)
        #expect(state.numberOfSharedElement == 4)
        for _ in 0..<BroadcastState.sharedLimit {
          _ = state.send(ElementParcel(5), from: thread + 1, keeping: nil)
        }
        #expect(state.numberOfSharedElement == nil)
        _ = state.send(ElementParcel(6), from: thread, keeping: nil)
        #expect(state.numberOfSharedElement == 5 + BroadcastState.sharedLimit)
      }
      let broadcast = Broadcast<Int>(.unbounded, keepsLast: false)
      broadcast.send(1)
      broadcast.send(2, ifNothingFollowed: 0)
      broadcast.send(3, ifNothingFollowed: 1)
      #expect(take(from: broadcast) == [1, 3])
    }

    @Test("P41: an iterator receives every element, whichever others have left")
    func leavingAtRandom() {
      let broadcast = Broadcast<Int>(.unbounded, keepsLast: false)
      var seats: [(number: Int, expected: [Int])] = []
      for element in 0..<300 {
        if seats.count > 20 || !seats.isEmpty && Bool.random() {
          let seat = seats.remove(at: .random(in: seats.indices))
          #expect(taken(from: broadcast, at: seat.number) == seat.expected)
          broadcast.parcels.leaveSeat(seat.number)
          broadcast.parcels.leaveSeat(seat.number)
          #expect(taken(from: broadcast, at: seat.number) == [])
        } else {
          seats.append((broadcast.parcels.takeSeat(), []))
        }
        // Elements that arrive while there is no iterator wait for the first one only.
        guard element > 0, !seats.isEmpty else { continue }
        broadcast.send(element)
        for index in seats.indices { seats[index].expected.append(element) }
      }
    }

    @Test("P41: iterators of one sequence take linear time")
    func manyIterators() {
      #expect(slowdown(at: 3000, measuring: timeToLeave) < 10)
    }

    private func timeToLeave(_ count: Int) -> Duration {
      let broadcast = Broadcast<Int>(.unbounded, keepsLast: false)
      let seats = (0..<count).map { _ in broadcast.parcels.takeSeat() }
      broadcast.send(1)
      var elements: [[Int]] = []
      let duration = processorTime {
        for seat in seats.reversed() {
          elements.append(taken(from: broadcast, at: seat))
          broadcast.parcels.leaveSeat(seat)
        }
      }
      #expect(elements.allSatisfy { $0 == [1] })
      return duration
    }

    private func taken(from broadcast: Broadcast<Int>, at seat: Int) -> [Int] {
      var taken: [Int] = []
      while case .element(let parcel) = broadcast.parcels.answer(at: seat) {
        taken.append(Broadcast<Int>.open(parcel))
      }
      return taken
    }

    /// The waiting elements for the next iterator.
    private func take(from broadcast: Broadcast<Int>) -> [Int] {
      taken(from: broadcast, at: broadcast.parcels.takeSeat())
    }
  }
}
