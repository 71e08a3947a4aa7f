import Foundation
import KeyValueObserving
import TestSupport
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private final class Part {
  var size = 1
  var canary: Canary?
}

@KeyValueObservable
private final class Whole {
  var part: Part
  var total: Int { part.size + 1 }
  init(_ part: Part) { self.part = part }
}

private final class Member: Hashable {
  static func == (left: Member, right: Member) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@KeyValueObservable
private final class Party {
  var members: Set<Member> = []
}

extension AllTests {
  /// Between the two calls of a manual change only the pair is kept, with what was captured.
  @Suite("Open pairs")
  struct OpenPairTests {
    private let part = Part()
    private let recorder = Recorder()

    @Test("P19, P38: a computed key without observers releases a change that waits")
    func endsBetweenTheHalves() throws {
      let whole = Whole(part)
      for _ in 0..<3 {
        let token = whole.observe(\.total, options: .old, changeHandler: recorder.receives("total"))
        part.willChangeValue(for: \.size)
        token.invalidate()
        part.didChangeValue(for: \.size)
        #expect(recorder.take() == [])
        #expect(try changes("total", of: whole) == 0)
      }
      whole.observationContext.checkInvariants()
      part.observationContext.checkInvariants()
    }

    @Test("P14: a pair keeps no removed member that no observer has asked for")
    func removedMember() {
      let party = Party()
      var member: Member? = Member()
      weak let left = member
      party.members = [member!]
      let token = party.observe(
        \.members, options: .new, changeHandler: recorder.receives("members"))
      party.willChangeValue(for: \.members, withSetMutation: .minus, using: party.members)
      party.members = []
      member = nil
      #expect(left == nil)
      party.didChangeValue(for: \.members, withSetMutation: .minus, using: [])
      #expect(recorder.take().count == 2)
      token.invalidate()
    }

    @Test("P19, P38: the same if it ends in a prior notification")
    func endsInAPrior() throws {
      let whole = Whole(part)
      let total = whole.observe(\.total, options: .old, changeHandler: recorder.receives("total"))
      let size = part.observe(\.size, options: .prior) { _, change in
        if change.isPrior { total.invalidate() }
      }
      part.willChangeValue(for: \.size)
      part.didChangeValue(for: \.size)
      #expect(try pins("total", of: whole) == 0)
      whole.observationContext.checkInvariants()
      part.observationContext.checkInvariants()
      size.invalidate()
    }

    @Test("P19, P21: a computed key that leads elsewhere by now has nothing to do with the change")
    func leadsElsewhere() throws {
      let whole = Whole(part)
      let token = whole.observe(
        \.total, options: [.old, .new], changeHandler: recorder.receives("total"))
      for _ in 0..<3 {
        part.willChangeValue(for: \.size)
        whole.part = Part()
        part.didChangeValue(for: \.size)
        whole.part = part
        #expect(recorder.take() == ["total 2→2", "total 2→2"])
        #expect(try changes("total", of: whole) == 0)
      }
      whole.observationContext.checkInvariants()
      token.invalidate()
    }

    @Test(
      "P19, P38: the same inside a delivery that still has the computed key among its observers")
    func endsInACallback() throws {
      let whole = Whole(part)
      let total = whole.observe(\.total, options: .old, changeHandler: recorder.receives("total"))
      let size = part.observe(\.size, options: .new) { part, change in
        guard change.newValue == 2 else { return }
        total.invalidate()
        part.didChangeValue(for: \.size)
      }
      part.willChangeValue(for: \.size)
      part.size = 2
      #expect(recorder.take() == [])
      #expect(try changes("total", of: whole) == 0)
      whole.observationContext.checkInvariants()
      part.observationContext.checkInvariants()
      size.invalidate()
    }

    @Test("P19, P33: an object deallocated between the two calls leaves no captured values")
    func isDeallocatedBetweenTheHalves() {
      var whole: Whole? = Whole(Part())
      weak let former = whole!.part
      let token = whole!.observe(\.part, options: .old) { _, _ in }
      whole!.willChangeValue(for: \.part)
      whole = nil
      #expect(former == nil)
      withExtendedLifetime(token) {}
    }

    @Test("P19: a manual change whose last observer ends before it keeps nothing")
    func lastObserverEndsBefore() {
      let whole = Whole(Part())
      weak let former = whole.part
      var token: KeyValueObservation?
      token = whole.observe(\.part, options: [.prior, .old]) { _, _ in token?.invalidate() }
      whole.willChangeValue(for: \.part)
      whole.part = Part()
      #expect(former == nil)
      whole.observationContext.checkInvariants()
      whole.didChangeValue(for: \.part)
    }

    @Test(
      "P31: an observer cancelled by what its pair has captured was notified of the deallocation before"
    )
    func cancelledByWhatItHeld() {
      let part = Part()
      var whole: Whole? = Whole(part)
      var observer: KeyValueObserver?
      part.canary = Canary { [recorder] in
        observer?.cancel()
        recorder.write("cancelled")
      }
      observer = KeyValueObserver(
        source: whole!, keyPath: \.part.canary, options: .old
      ) { [recorder] _, reason in recorder.write("\(reason)") }
      whole!.willChangeValue(for: \.part)
      whole!.part = Part()
      part.canary = nil
      #expect(recorder.take() == ["pathChanged"])
      whole = nil
      #expect(recorder.take() == ["sourceDeleted", "cancelled"])
    }

    @Test("P19, P33: an object may be deallocated while a pair of its computed key is open")
    func isDeallocatedInACallback() {
      var whole: Whole? = Whole(part)
      var total: KeyValueObservation? = whole!.observe(
        \.total, options: .old, changeHandler: recorder.receives("total"))
      let size = part.observe(\.size, options: .new) { part, change in
        guard change.newValue == 2 else { return }
        whole = nil
        total = nil
        part.didChangeValue(for: \.size)
      }
      part.willChangeValue(for: \.size)
      part.size = 2
      #expect(recorder.take() == [] && whole == nil && total == nil)
      part.observationContext.checkInvariants()
      size.invalidate()
    }

    @Test("P13, P19: a pair of a key notifies no observer that was registered since, by any path")
    func registeredInBetween() {
      let whole = Whole(part)
      let first = whole.observe(
        \.total, options: [.old, .new], changeHandler: recorder.receives("first"))
      part.willChangeValue(for: \.size)
      let late = [
        part.observe(\.size, options: .new, changeHandler: recorder.receives("size")),
        whole.observe(\.total, options: .new, changeHandler: recorder.receives("total")),
        whole.observe(\.part.size, options: .new, changeHandler: recorder.receives("path")),
      ]
      part.didChangeValue(for: \.size)
      #expect(recorder.take() == ["first 2→2"])
      part.size = 5
      #expect(recorder.take() == ["size →5", "path →5", "first 2→6", "total →6"])
      part.willChangeValue(for: \.size)
      part.didChangeValue(for: \.size)
      #expect(recorder.take() == ["size →5", "path →5", "first 6→6", "total →6"])
      withExtendedLifetime((first, late)) {}
    }

    @Test("P19: of pairs that two threads have opened, each completes its own")
    func twoThreads() {
      nonisolated(unsafe) let part = part
      let token = part.observe(\.size, options: .old, changeHandler: recorder.receives("size"))
      part.willChangeValue(for: \.size)
      // The calls are serialized, as P38 asks for.
      onThread {
        part.size = 7
        part.willChangeValue(for: \.size)
      }
      part.didChangeValue(for: \.size)
      #expect(recorder.take() == ["size 1→", "size 1→"])
      withExtendedLifetime(token) {}
    }

    @Test("P19, P38: pairs that are never completed make no later set slower")
    func neverCompleted() {
      #expect(slowdown(at: 10_000, measuring: timeToSet) < 10)
    }

    /// The time of sets after many pairs, each with an observer that has ended.
    private func timeToSet(pairs count: Int) -> Duration {
      let part = Part()
      let stays = part.observe(\.size) { _, _ in }
      for _ in 0..<count {
        let token = part.observe(\.size) { _, _ in }
        part.willChangeValue(for: \.size)
        token.invalidate()
      }
      let duration = processorTime { for size in 0..<count { part.size = size } }
      part.observationContext.checkInvariants()
      withExtendedLifetime(stays) {}
      return duration
    }

    /// The changes of a computed key that are to be delivered.
    private func changes(_ key: String, of subject: some KeyValueObservable) throws -> Int {
      try observedKey(key, of: subject).state.computedKey?.state.changes.count ?? 0
    }

    private func pins(_ key: String, of subject: some KeyValueObservable) throws -> Int32 {
      try observedKey(key, of: subject).state.pins
    }

    private func observedKey(_ key: String, of subject: some KeyValueObservable) throws
      -> ObservedKey
    {
      let observedKey = key.withKeyName { subject.observationContext.observedKey(named: $0) }
      return try #require(observedKey).takeUnretainedValue()
    }
  }
}
