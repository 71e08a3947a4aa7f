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
      let multicast = Multicast<Int>(.unbounded, keepsLast: true)
      multicast.send(1)
      multicast.begin(with: 0)
      #expect(take(from: multicast) == [0, 1])
      #expect(take(from: multicast) == [1])
      multicast.send(2)
      #expect(take(from: multicast) == [2])
      multicast.base.close()
      #expect(take(from: multicast) == [])
    }

    @Test("P41: a correction is sent only if nothing was sent meanwhile")
    func corrections() {
      var state = MulticastState(.unbounded, keepsLast: false)
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2) { threads in
        let thread = UnsafeMutableRawPointer(threads.baseAddress!)
        _ = state.send(BoxedElement(1), from: thread, keeping: nil)
        _ = state.send(BoxedElement(2), from: thread, keeping: nil)
        #expect(state.numberOfSharedElement == nil)
        _ = state.send(BoxedElement(3), from: thread + 1, keeping: nil)
        #expect(state.numberOfSharedElement == 3)
        _ = state.send(BoxedElement(4), from: thread + 1, keeping: nil)
        #expect(state.numberOfSharedElement == 4)
        for _ in 0..<MulticastState.sharedLimit {
          _ = state.send(BoxedElement(5), from: thread + 1, keeping: nil)
        }
        #expect(state.numberOfSharedElement == nil)
        _ = state.send(BoxedElement(6), from: thread, keeping: nil)
        #expect(state.numberOfSharedElement == 5 + MulticastState.sharedLimit)
      }
      let multicast = Multicast<Int>(.unbounded, keepsLast: false)
      multicast.send(1)
      multicast.send(2, ifNothingFollowed: 0)
      multicast.send(3, ifNothingFollowed: 1)
      #expect(take(from: multicast) == [1, 3])
    }

    @Test("P41: an iterator receives every element, whichever others have left")
    func leavingAtRandom() {
      let multicast = Multicast<Int>(.unbounded, keepsLast: false)
      var entries: [(iterator: Int, expected: [Int])] = []
      for element in 0..<300 {
        if entries.count > 20 || !entries.isEmpty && Bool.random() {
          let entry = entries.remove(at: .random(in: entries.indices))
          #expect(taken(from: multicast, for: entry.iterator) == entry.expected)
          multicast.base.removeIterator(entry.iterator)
          multicast.base.removeIterator(entry.iterator)
          #expect(taken(from: multicast, for: entry.iterator) == [])
        } else {
          entries.append((multicast.base.addIterator(), []))
        }
        // Elements that arrive while there is no iterator wait for the first one only.
        guard element > 0, !entries.isEmpty else { continue }
        multicast.send(element)
        for index in entries.indices { entries[index].expected.append(element) }
      }
    }

    @Test("P41: iterators of one sequence take linear time")
    func manyIterators() {
      #expect(slowdown(at: 3000, measuring: timeToLeave) < 10)
    }

    private func timeToLeave(_ count: Int) -> Duration {
      let multicast = Multicast<Int>(.unbounded, keepsLast: false)
      let entries = (0..<count).map { _ in multicast.base.addIterator() }
      multicast.send(1)
      var elements: [[Int]] = []
      let duration = processorTime {
        for iterator in entries.reversed() {
          elements.append(taken(from: multicast, for: iterator))
          multicast.base.removeIterator(iterator)
        }
      }
      #expect(elements.allSatisfy { $0 == [1] })
      return duration
    }

    private func taken(from multicast: Multicast<Int>, for iterator: Int) -> [Int] {
      var taken: [Int] = []
      while case .element(let element) = multicast.base.next(for: iterator) {
        taken.append(Multicast<Int>.open(element))
      }
      return taken
    }

    /// The waiting elements for the next iterator.
    private func take(from multicast: Multicast<Int>) -> [Int] {
      taken(from: multicast, for: multicast.base.addIterator())
    }
  }
}
