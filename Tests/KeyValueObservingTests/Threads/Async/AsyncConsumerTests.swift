import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  /// Consumers that are many, or slow.
  @Suite("Consumers of async sequences", .timeLimit(.minutes(5)))
  @MainActor
  struct AsyncConsumerTests {
    @Test("P41: several sequences of one key each yield everything, after their own beginning")
    func severalSequences() async {
      let person = Person("a")
      let first = person.values(of: \.name)
      person.name = "b"
      let second = person.values(of: \.name)
      person.name = "c"
      #expect(await first.first(3) == ["a", "b", "c"])
      #expect(await second.first(2) == ["b", "c"])
    }

    @Test("P41: each iterator of a sequence receives every element")
    func severalIterators() async {
      let person = Person("a")
      let names = person.values(of: \.name)
      let consumers = [Consumer(of: names), Consumer(of: names), Consumer(of: names)]
      for consumer in consumers { await consumer.waits(after: 1) }
      for name in ["b", "c"] { person.name = name }
      for consumer in consumers {
        await consumer.waits(after: 3)
        #expect(consumer.received == ["a", "b", "c"])
        consumer.cancel()
        await consumer.finished()
      }
    }

    @Test("P41: a later iterator begins with the value that came last, or with the next change")
    func laterIterators() async {
      let person = Person("a")
      let names = person.values(of: \.name)
      let changes = person.changes(of: \.name)
      person.name = "b"
      var first = names.makeAsyncIterator()
      #expect(await first.next() == "a")
      var firstChanges = changes.makeAsyncIterator()
      var second = names.makeAsyncIterator()
      var secondChanges = changes.makeAsyncIterator()
      person.name = "c"
      #expect(await first.take(2) == ["b", "c"])
      #expect(await second.take(2) == ["b", "c"])
      #expect(await firstChanges.take(2).map(\.newValue) == ["b", "c"])
      #expect(await secondChanges.take(1).map(\.newValue) == ["c"])
      // A second loop over the sequence does not miss what came between the two.
      person.name = "d"
      #expect(await names.first(1) == ["d"])
    }

    @Test("P41: a later iterator does not begin with the value before the last change")
    func laterIteratorBehindNil() async {
      let person = Person("a", boss: Person("b"))
      let names = person.values(of: \.boss!.name)
      var first = names.makeAsyncIterator()
      #expect(await first.next() == "b")
      person.boss = nil
      var second = names.makeAsyncIterator()
      person.boss = Person("c")
      #expect(await first.next() == "c")
      #expect(await second.next() == "c")
    }

    @Test("P27, P41: a later iterator begins with an object only while that is there")
    func laterIteratorOfObjects() async {
      let person = Person("a")
      var friend: Person? = Person("b")
      let friends = person.values(of: \.friend)
      let bosses = person.values(of: \.boss)
      _ = await friends.first(1)
      _ = await bosses.first(1)
      person.friend = friend
      person.boss = Person("c")
      #expect(await friends.first(1).map { $0?.name } == ["b"])
      #expect(await bosses.first(1).map { $0?.name } == ["c"])
      friend = nil
      #expect(person.friend == nil)
      #expect(await friends.first(1).map { $0 == nil } == [true])
    }

    @Test("P41: while the sequence is not kept, an array is still appended to in place")
    func keepsNoCopy() async {
      let person = Person("a")
      person.tags.reserveCapacity(64)
      var iterator = person.values(of: \.tags).makeAsyncIterator()
      _ = await iterator.next()
      func address() -> UnsafeRawPointer? {
        person.tags.withUnsafeBytes { $0.baseAddress }
      }
      let former = address()
      for tags in [["x"], ["x", "y"]] {
        person.tags.append(tags[tags.count - 1])
        #expect(address() == former)
        #expect(await iterator.next() == tags)
      }
    }

    @Test("P41: copies of an iterator share its elements, also if several wait")
    func copies() async {
      let person = Person("a")
      let iterator = person.values(of: \.name).makeAsyncIterator()
      var begun = 0
      func consume() -> Task<String?, Never> {
        Task {
          var copy = iterator
          begun += 1
          return await copy.next()
        }
      }
      let tasks = [consume(), consume(), consume()]
      while begun < 3 { await Task.yield() }
      person.name = "b"
      person.name = "c"
      var received: [String?] = []
      for task in tasks { received.append(await task.value) }
      #expect(received == ["a", "b", "c"])
    }

    struct Slow: Sendable, CustomTestStringConvertible {
      let policy: AsyncStream<Int>.Continuation.BufferingPolicy
      let received: [Int]
      var testDescription: String { "\(policy)" }
    }

    @Test(
      "P41: what a slow consumer receives is what the policy says",
      arguments: [
        Slow(policy: .unbounded, received: [0, 1, 2, 3, 4, 5]),
        Slow(policy: .bufferingNewest(1), received: [5]),
        Slow(policy: .bufferingNewest(3), received: [3, 4, 5]),
        Slow(policy: .bufferingNewest(9), received: [0, 1, 2, 3, 4, 5]),
        Slow(policy: .bufferingNewest(0), received: []),
        Slow(policy: .bufferingOldest(1), received: [0]),
        Slow(policy: .bufferingOldest(3), received: [0, 1, 2]),
        Slow(policy: .bufferingOldest(-1), received: []),
      ])
    func policies(slow: Slow) async {
      var person: Person? = Person("a")
      let ages = person!.values(of: \.age, bufferingPolicy: slow.policy)
      for age in 1...5 { person!.age = age }
      person = nil
      #expect(await ages.first(.max) == slow.received)
    }

    @Test("P41: with bufferingNewest a slow consumer skips values and sees the last one")
    func slowConsumer() async {
      let person = Person("a")
      var ages = person.values(of: \.age, bufferingPolicy: .bufferingNewest(1)).makeAsyncIterator()
      #expect(await ages.next() == 0)
      for round in 1...10 {
        for step in 1...10 { person.age = 10 * round + step }
        #expect(await ages.next() == 10 * round + 10)
      }
    }

    @Test("P41: without a buffer, a consumer that waits is given the next element")
    func unbuffered() async {
      let person = Person("a")
      let consumer = Consumer(of: person.values(of: \.age, bufferingPolicy: .bufferingNewest(0)))
      await consumer.waits(after: 0)
      person.age = 1
      person.age = 2
      await consumer.waits(after: 1)
      #expect(consumer.received == [1])
      consumer.cancel()
      await consumer.finished()
    }
  }
}
