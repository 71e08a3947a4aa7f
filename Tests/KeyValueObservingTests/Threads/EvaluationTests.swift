import Foundation
import KeyValueObserving
import Synchronization
import TestSupport
import Testing

@testable import KeyValueObservingCore

/// Used by one thread at a time.
@KeyValueObservable
private final class GatedNode: @unchecked Sendable {
  var value = 0
  var child: SharedNode?
  @KeyValueIgnored var gate: (() -> Void)?
  @KeyValueIgnored var evaluationCount = 0
  var sum: Int {
    evaluationCount += 1
    let first = value + (child?.value ?? 0)
    gate?()
    return first + value
  }
  @KeyValueIgnored var whenGone: (() -> Void)?
  /// Another object at each evaluation.
  fileprivate var remains: Remains {
    _ = sum
    return Remains { [weak self] in self?.whenGone?() }
  }
}

/// Another thread that has come to observe the sum, and is in its getter for the first time.
private struct FirstEvaluation {
  private let mayGoOn = DispatchSemaphore(value: 0)
  private let isRegistered = DispatchSemaphore(value: 0)

  init(on node: GatedNode) {
    let isEvaluating = DispatchSemaphore(value: 0)
    node.gate = { [mayGoOn] in
      isEvaluating.signal()
      mayGoOn.wait()
    }
    Thread.detachNewThread { [isRegistered] in
      let token = node.observe(\.sum, isolation: nil) { _, _ in }
      isRegistered.signal()
      withExtendedLifetime(token) {}
    }
    isEvaluating.wait()
    node.gate = nil
  }

  func finish() {
    mayGoOn.signal()
    isRegistered.wait()
  }
}

/// Does something when it is let go of.
private final class Remains {
  private let whenGone: () -> Void

  init(whenGone: @escaping () -> Void) { self.whenGone = whenGone }

  deinit { whenGone() }
}

extension AllTests {
  @Suite("Evaluating on several threads")
  struct EvaluationTests {
    @Test("P16: to list what a key path reads does not make the properties observed ones")
    func listing() {
      let node = GatedNode()
      node.child = SharedNode()
      let names = ReadRecorder.withKeys(readBy: { _ = node.sum }) { $0.map(\.name.text) }
      #expect(names == ["value", "child", "value", "value"])
      #expect(node.existingContext == nil)
      #expect(node.child?.existingContext == nil)
    }

    @Test("P22, P38: a key that two threads observe at the same time is notified once")
    func comeAtOnce() {
      let node = GatedNode()
      let recorder = Recorder()
      let other = FirstEvaluation(on: node)
      let token = node.observe(
        \.sum, options: [.old, .new, .prior], changeHandler: recorder.receives("sum"))
      node.value = 1
      #expect(recorder.take() == ["sum 0→ prior", "sum 0→2"])
      node.willChangeValue(for: \.value)
      other.finish()
      node.didChangeValue(for: \.value)
      #expect(recorder.take() == ["sum 2→ prior", "sum 2→2"])
      node.observationContext.checkInvariants()
      token.invalidate()
    }

    @Test("P38: what is set while another thread first evaluates a computed key does not add up")
    func setsMeanwhile() {
      let node = GatedNode()
      let other = FirstEvaluation(on: node)
      let received = Counter()
      let token = node.observe(\.sum, isolation: nil) { _, _ in received.increment() }
      node.evaluationCount = 0
      for value in 1...10 { node.value = value }
      #expect(received.value == 10)
      // Two links to the value receive each set: this thread's, and that of the thread that
      // evaluates.
      #expect(node.evaluationCount <= 10 * 4)
      other.finish()
      node.observationContext.checkInvariants()
      token.invalidate()
    }

    @Test(
      "P39: while another thread first evaluates a computed key, former links notify of nothing")
    func replacesMeanwhile() {
      let node = GatedNode()
      let (former, current) = (SharedNode(), SharedNode())
      node.child = former
      let recorder = Recorder()
      let other = FirstEvaluation(on: node)
      let token = node.observe(
        \.sum, options: [.old, .new], changeHandler: recorder.receives("sum"))
      node.child = current
      current.value = 2
      #expect(recorder.take() == ["sum 0→0", "sum 0→2"])
      // The other thread is attached to it until it has evaluated again.
      former.value = 1
      #expect(recorder.take().allSatisfy { $0 == "sum 2→2" })
      other.finish()
      former.value = 3
      #expect(recorder.take().isEmpty)
      current.value = 4
      #expect(recorder.take() == ["sum 2→4"])
      node.observationContext.checkInvariants()
      token.invalidate()
    }

    @Test("P8, P38: a setter returns though others go on to set what the same is computed from")
    func settersHoldUpNobody() {
      let node = GatedNode()
      let received = Atomic(0)
      let token = node.observe(\.sum, options: .new, isolation: nil) { _, change in
        received.store(change.newValue!, ordering: .sequentiallyConsistent)
      }
      let (isReading, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let others = DispatchGroup()
      let own = ThreadState.identity
      var evaluations = 0
      node.gate = {
        guard ThreadState.identity == own else {
          isReading.signal()
          return mayGoOn.wait()
        }
        evaluations += 1
        if evaluations > 5 { return }
        others.enter()
        Thread.detachNewThread {
          node.child = SharedNode()
          others.leave()
        }
        isReading.wait()
      }
      node.value = 1
      #expect(evaluations == 1)
      node.gate = nil
      for _ in 0..<evaluations { mayGoOn.signal() }
      others.wait()
      #expect(received.load(ordering: .sequentiallyConsistent) == 2)
      node.child!.value = 5
      #expect(received.load(ordering: .sequentiallyConsistent) == 7)
      node.observationContext.checkInvariants()
      withExtendedLifetime(token) {}
    }

    @Test("P2, P38: a change that an outdated value makes when it is let go of has a new value")
    func outdatedValueSetsAnInput() {
      let node = GatedNode()
      var received: [Bool] = []
      let token = node.observe(\.remains, options: .new) { _, change in
        received.append(change.newValue != nil)
      }
      let own = ThreadState.identity
      node.gate = {
        guard ThreadState.identity == own else { return }
        node.gate = nil
        let isSet = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          node.child = SharedNode()
          isSet.signal()
        }
        isSet.wait()
        node.whenGone = {
          node.whenGone = nil
          node.value = 2
        }
      }
      node.value = 1
      #expect(received == [true, true, true])
      withExtendedLifetime(token) {}
    }
  }
}
