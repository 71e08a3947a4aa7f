import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@testable import KeyValueObservingCore

#if canImport(Glibc)
  /// How many bytes an object may use of the block of memory that it lies in.
  private func blockSize(of object: AnyObject) -> Int {
    // The module Glibc does not have it.
    let function = unsafeBitCast(
      dlsym(nil, "malloc_usable_size"), to: (@convention(c) (UnsafeRawPointer) -> Int).self)
    return function(Unmanaged.passUnretained(object).toOpaque())
  }
#endif

extension AllTests {
  /// The pure state under the registrar, without objects, threads or callbacks.
  @Suite("State")
  struct StateTests {
    private final class Member: KeyValueObservingCore.Registration {
      let number: Int

      init(_ number: Int, needs: ObserverNeeds = [], _ order: NotificationOrder = .observer) {
        self.number = number
        super.init(needs: needs) { _, _ in }
        self.order = order
      }
    }

    private func numbers(_ snapshot: ObserverSnapshot) -> [Int] {
      snapshot.registrations().compactMap { ($0.takeUnretainedValue() as? Member)?.number }
    }

    private func needsOfChange(_ state: inout ObservedKeyState) -> ObserverNeeds {
      let snapshot = state.pin()
      _ = state.unpin(snapshot.number)
      return snapshot.needs
    }

    @Test("P10: an observer list keeps the order of registration while observers begin and end")
    func randomOrder() {
      var generator = SystemRandomNumberGenerator()
      for _ in 0..<50 {
        var state = ObservedKeyState()
        var members: [Member] = []
        for step in 0..<200 {
          if members.isEmpty || Bool.random(using: &generator) {
            let member = Member(step, needs: Bool.random() ? .old : .new)
            members.append(member)
            state.attach(member)
          } else {
            state.detach(members.remove(at: Int.random(in: members.indices, using: &generator)))
          }
          state.checkInvariants()
          let snapshot = state.pin()
          #expect(numbers(snapshot) == members.map(\.number))
          #expect(state.unpin(snapshot.number) == nil)
        }
      }
    }

    @Test("P11: a queue keeps the order of its elements, of one or of several")
    func randomQueue() {
      final class Element {}
      for seed in 0..<50 as Range<UInt64> {
        var random = SplitMix(seed: seed)
        var queue = Queue<Element>()
        var expected: [Element] = []
        for _ in 0..<200 {
          let position = Int.random(in: 0...expected.count, using: &random)
          switch Int.random(in: 0..<6, using: &random) {
          case 0:
            let element = Element()
            queue.append(element)
            expected.append(element)
          case 1:
            let element = Element()
            queue.insert(element, at: position)
            expected.insert(element, at: position)
          case 2 where position < expected.count:
            queue[position] = Element()
            expected[position] = queue[position]
          case 3 where position < expected.count:
            #expect(queue.remove(at: position) === expected.remove(at: position))
          default:
            weak let first = queue.popFirst()
            #expect(first === expected.first)
            if !expected.isEmpty { expected.removeFirst() }
            #expect(first == nil)
          }
          let identities = expected.map { ObjectIdentifier($0) }
          #expect(queue.map { ObjectIdentifier($0) } == identities)
          #expect(queue.last === expected.last)
          let unmanaged = queue.indices.map { queue.unmanaged(at: $0).takeUnretainedValue() }
          #expect(unmanaged.map { ObjectIdentifier($0) } == identities)
        }
      }
    }

    @Test("P16: a change prepares what observers need, not what observers needed that have ended")
    func countedNeeds() {
      var counts = NeedCounts()
      let all: [ObserverNeeds] = [.old, .new, .prior, .phases, .root]
      var added: [ObserverNeeds] = []
      for _ in 0..<1000 {
        if added.isEmpty || Bool.random() {
          let needs = ObserverNeeds(all.filter { _ in Bool.random() })
          added.append(needs)
          counts.add(needs)
        } else {
          counts.remove(added.remove(at: .random(in: added.indices)))
        }
        #expect(counts.union == ObserverNeeds(added))
      }
    }

    @Test("P16: of more observers than are counted, the needs last until few are left")
    func moreNeedsThanAreCounted() {
      var state = ObservedKeyState()
      func needs() -> ObserverNeeds {
        defer { state.checkInvariants() }
        let snapshot = state.pin()
        _ = state.unpin(snapshot.number)
        return snapshot.needs
      }
      let members = (0..<70_000).map { Member($0, needs: .old) }
      let others = (0..<200).map { Member($0, needs: .new) }
      for _ in 0..<2 {
        for member in members + others { state.attach(member) }
        for member in members { state.detach(member) }
        #expect(needs() == [.old, .new])
        for other in others.prefix(72) { state.detach(other) }
        #expect(needs() == [.old, .new])
        state.detach(others[72])
        #expect(needs() == [.new])
        for other in others.dropFirst(73) { state.detach(other) }
        #expect(needs() == [])
      }
    }

    @Test("P16: observers of a change are counted again with the dependents of its key")
    func recountedDependents() {
      var state = ObservedKeyState()
      let members = (0..<300).map { Member($0, needs: [.phases, .prior]) }
      for member in members { member.order = .dependent }
      let observer = Member(300, needs: .new)
      for member in members + [observer] { state.attach(member) }
      for member in members.dropLast() { state.detach(member) }
      state.checkInvariants()
      #expect(needsOfChange(&state) == [.new, .phases, .prior])
      state.detach(members[299])
      #expect(needsOfChange(&state) == [.new])
      state.checkInvariants()
    }

    @Test("P2: closures receive the values that they request when most of very many have ended")
    func recountedClosures() {
      let person = Person("Ann")
      let recorder = Recorder()
      var tokens = (0..<300).map { number in
        person.observe(\.age, options: [.old, .new], changeHandler: recorder.receives("\(number)"))
      }
      tokens.removeFirst(200)
      person.observationContext.checkInvariants()
      tokens.removeFirst(99)
      person.observationContext.checkInvariants()
      person.age = 1
      #expect(recorder.take() == ["299 0→1"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P16: the context of an object is its first observed key, and has room for an observer")
    func firstKey() {
      let person = Person("Ann")
      let tokens = [person.observe(\.age) { _, _ in }, person.observe(\.name) { _, _ in }]
      let context = person.observationContext
      #expect(context.observedKey(named: KeyName("age"))?.takeUnretainedValue() === context)
      #expect(context.observedKey(named: KeyName("name"))?.takeUnretainedValue() !== context)
      #if canImport(Glibc)
        // Each block takes eight bytes more: 192 with that of a token (row: memory).
        #expect(blockSize(of: context) <= 136)
        #expect(blockSize(of: tokens[0]) <= 40)
      #endif
      withExtendedLifetime(tokens) {}
    }

    @Test("P13: the observers of a change are fixed when it begins")
    func fixedAudience() {
      var state = ObservedKeyState()
      let members = (0..<3).map { Member($0) }
      let others = (10..<30).map { Member($0) }
      state.attach(members[0])
      state.attach(members[1])
      let snapshot = state.pin()
      state.attach(members[2])
      state.detach(members[0])
      for other in others { state.attach(other) }
      state.checkInvariants()
      // The one that went is still in its place; that it has ended is asked before it is called.
      #expect(numbers(snapshot) == [0, 1])
      let ended = state.unpin(snapshot.number)
      #expect(ended?.registrations.map { ($0 as? Member)?.number } == [0])
      state.checkInvariants()
      let next = state.pin()
      #expect(numbers(next) == [1, 2] + Array(10..<30))
      _ = state.unpin(next.number)
      withExtendedLifetime((members, others)) {}
    }

    @Test("P13: an observer that leaves while a change is prepared receives others begun since")
    func extendedAudience() {
      var state = ObservedKeyState()
      let leaver = Member(1)
      let stayer = Member(2)
      state.attach(leaver)
      state.attach(stayer)
      var prepared = state.pin()
      let other = state.pin()
      state.detach(leaver)
      let left = state.extend(&prepared)
      #expect(left.map { ($0 as? Member)?.number } == [1])
      #expect(!leaver.isNotified(by: prepared) && leaver.isNotified(by: other))
      state.detach(stayer)
      #expect(stayer.isNotified(by: prepared) && stayer.isNotified(by: other))
      _ = state.unpin(prepared.number)
      _ = state.unpin(other.number)
      state.checkInvariants()
    }

    @Test(
      "P31: an observer that ends during a delivery is retained until the last delivery is done")
    func keptWhilePinned() {
      var state = ObservedKeyState()
      var member: Member? = Member(1)
      weak let watched = member
      state.attach(member!)
      let (first, second) = (state.pin(), state.pin())
      state.detach(member!)
      member = nil
      #expect(watched != nil)
      _ = state.unpin(first.number)
      #expect(watched != nil)
      _ = state.unpin(second.number)
      #expect(watched == nil)
      state.checkInvariants()
    }

    @Test(
      "P13, P32: a list is compacted while deliveries that always overlap read it",
      arguments: [NotificationOrder.observer, .dependent])
    func overlappingDeliveries(order: NotificationOrder) {
      var generator = SystemRandomNumberGenerator()
      var state = ObservedKeyState()
      var members: [Member] = []
      var deliveries: [(snapshot: ObserverSnapshot, numbers: [Int])] = []
      var (count, greatestCount): (Int32, Int32) = (0, 0)
      func updateCount() {
        count = order == .observer ? state.observers.count : state.extras?.dependents.count ?? 0
        greatestCount = max(greatestCount, count)
      }
      for step in 0..<6_000 {
        switch Int.random(in: 0..<20, using: &generator) {
        case ..<8:
          members.append(Member(step, needs: order == .dependent ? .phases : [], order))
          state.attach(members.last!)
        case ..<17:
          let index = members.indices.randomElement(using: &generator)
          if let index { state.detach(members.remove(at: index)) }
        case 17:
          deliveries.append((state.pinForTransaction(), members.map(\.number)))
        default:
          if deliveries.count < 4 { continue }
          let index = Int.random(in: deliveries.indices, using: &generator)
          _ = state.unpin(deliveries.remove(at: index).snapshot.number)
        }
        for (snapshot, expected) in deliveries {
          let found = numbers(snapshot)
          #expect(found.filter(Set(expected).contains) == expected)
        }
        state.checkInvariants()
        updateCount()
      }
      #expect(greatestCount < 500)
      for delivery in deliveries { _ = state.unpin(delivery.snapshot.number) }
      updateCount()
      let extras = state.extras
      #expect(count == Int32(members.count))
      #expect(extras?.ended.isEmpty != false && extras?.retired == nil)
    }

    @Test("P16: a key without observers needs nothing")
    func needs() {
      var state = ObservedKeyState()
      let old = Member(1, needs: [.old, .prior])
      let new = Member(2, needs: .new)
      state.attach(old)
      state.attach(new)
      #expect(needsOfChange(&state) == [.old, .prior, .new])
      state.detach(old)
      #expect(needsOfChange(&state) == .new)
      state.detach(new)
      let isObserved = state.isObserved
      #expect(!isObserved)
      state.checkInvariants()
    }

    @Test(
      "P38: ending is O(1) in any order",
      arguments: EndingOrder.allCases)
    fileprivate func manyEnds(order: EndingOrder) {
      #expect(slowdown(at: 50_000, measuring: order.timeToEnd) < 10)
    }

    @Test(
      "P19: observers that end around the first call of a pair do not extend the list",
      arguments: [true, false])
    func endsWithinPairs(areCompleted: Bool) {
      var state = ObservedKeyState()
      let stays = Member(0)
      state.attach(stays)
      for number in 1...100 {
        let member = Member(number)
        state.attach(member)
        let snapshot = state.pin(beginsPair: true)
        let observers = PairObservers(snapshot)
        _ = state.unpin(snapshot.number)
        state.detach(member)
        let late = Member(-number)
        state.attach(late)
        if areCompleted {
          let completing = state.pin(observers)
          #expect(numbers(completing) == [0, -number])
          #expect(stays.isNotified(by: completing) && !late.isNotified(by: completing))
          _ = state.unpin(completing.number)
        }
        state.detach(late)
        state.checkInvariants()
      }
      let count = state.observers.count
      #expect(count < 10)
      #expect(stays.index == 0)
    }

    @Test("P33: deallocation takes time in proportion to the observed keys")
    func manyKeys() {
      #expect(slowdown(at: 15_000, measuring: timeToDeallocate) < 10)
    }

    private func timeToDeallocate(keys count: Int) -> Duration {
      var object = Optional(KeyValueDictionary())
      var received: [Int] = []
      let observers = (0..<count).compactMap { place in
        try? KeyValueObserver(source: object!, keyPath: "\(place)", options: []) { _, _ in
          received.append(place)
        }
      }
      let duration = processorTime { object = nil }
      #expect(received == Array(0..<count))
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
