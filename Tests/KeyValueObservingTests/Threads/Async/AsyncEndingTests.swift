import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  /// How async sequences end, and what they leave behind.
  @Suite("Ends of async sequences", .timeLimit(.minutes(5)))
  @MainActor
  struct AsyncEndingTests {
    @Test("P33, P41: deallocation finishes the sequence after the waiting elements were taken")
    func deallocationWithBuffer() async {
      var person: Person? = Person("a")
      let names = person!.values(of: \.name)
      let changes = person!.changes(of: \.boss?.name)
      person!.name = "b"
      person = nil
      var iterator = names.makeAsyncIterator()
      #expect(await iterator.takeAll() == ["a", "b"])
      #expect(await iterator.next() == nil)
      #expect(await changes.first(1) == [])
      // One that is made later has nothing to wait for.
      #expect(await names.first(1) == [])
    }

    @Test("P33, P41: deallocation finishes a consumer that waits")
    func deallocationWhileWaiting() async {
      var person: Person? = Person("a")
      let consumers = [
        Consumer(of: person!.values(of: \.name)), Consumer(of: person!.values(of: \.title)),
      ]
      for consumer in consumers { await consumer.waits(after: 1) }
      person = nil
      for consumer in consumers { await consumer.finished() }
      #expect(consumers.map(\.received) == [["a"], ["a (0)"]])
    }

    @Test("P33, P41: deallocation on another thread finishes the sequence")
    func deallocationElsewhere() async {
      var shared: Shared? = Shared()
      let consumer = Consumer(of: shared!.values(of: \.value))
      await consumer.waits(after: 1)
      let task = Task.detached { [shared] in shared!.value = 1 }
      shared = nil
      await task.value
      await consumer.finished()
      #expect(consumer.received == [0, 1])
    }

    @Test("P41: cancellation ends a consumer that waits, and the observation")
    func cancelledWhileWaiting() async {
      let person = Person("a")
      let consumer = Consumer(of: person.values(of: \.name))
      await consumer.waits(after: 1)
      #expect(person.observationContext.isObjectObserved)
      consumer.cancel()
      await consumer.finished()
      #expect(!person.observationContext.isObjectObserved)
      person.observationContext.checkInvariants()
    }

    @Test("P41: a cancelled consumer gets nothing more, whatever waits; others go on")
    func cancelledWithBuffer() async {
      let person = Person("a")
      let names = person.values(of: \.name)
      let cancelled = Consumer(of: names)
      let other = Consumer(of: names)
      cancelled.cancel()
      person.name = "b"
      await cancelled.finished()
      await other.waits(after: 2)
      person.name = "c"
      await other.waits(after: 3)
      #expect(cancelled.received == [] && other.received == ["a", "b", "c"])
      other.cancel()
      await other.finished()
    }

    @Test("P41: an iterator that was cancelled stays at its end, in every task")
    func cancelledIterator() async {
      let person = Person("a")
      let names = person.values(of: \.name)
      var iterator = names.makeAsyncIterator()
      let copy = iterator
      let task = Task {
        var copy = copy
        return await copy.next()
      }
      task.cancel()
      #expect(await task.value == nil)
      person.name = "b"
      #expect(await iterator.next() == nil)
      #expect(await names.first(1) == ["b"])
    }

    @Test("P32, P41: a sequence that is dropped ends the observation, iterated or not")
    func dropped() async {
      let person = Person("a", boss: Person("b"))
      var released = 0
      func isObserved() -> Bool {
        person.observationContext.checkInvariants()
        return person.observationContext.isObjectObserved
          || person.boss!.observationContext.isObjectObserved
      }
      _ = person.values(of: \.name)
      _ = person.changes(of: \.boss?.name)
      #expect(!isObserved())

      func iterate() async {
        let names = person.values(of: \.boss?.name)
        #expect(isObserved())
        for await name in names {
          #expect(name == "b")
          break
        }
      }
      await iterate()
      #expect(!isObserved())

      var iterator: KeyValueAsyncSequence<String>.Iterator? =
        person.values(of: \.name).makeAsyncIterator()
      #expect(isObserved())
      #expect(await iterator?.next() == "a")
      iterator = nil
      #expect(!isObserved())

      do {
        let box = CanaryBox()
        let canaries = box.values(of: \.canary)
        for _ in 0..<3 { box.canary = Canary { released += 1 } }
        #expect(released == 0)
        withExtendedLifetime(canaries) {}
      }
      #expect(released == 3)
    }

    @Test("P5, P41: neither the subject nor the last object is kept alive")
    func retainsNothing() async {
      var person: Person? = Person("a")
      weak let subject = person
      let friends = person!.values(of: \.friend)
      var first = friends.makeAsyncIterator()
      var friend: Person? = Person("b")
      person!.friend = friend
      #expect(await first.take(2).count == 2)
      friend = nil
      #expect(person!.friend == nil)
      #expect(await first.take(1).map { $0 == nil } == [true])
      person = nil
      #expect(subject == nil)
      #expect(await first.takeAll().isEmpty)
    }

    @Test("P41: elements are released outside the lock, so their ends may use the sequence")
    func releasedOutsideTheLock() async {
      let box = CanaryBox()
      let canaries = box.changes(of: \.canary, bufferingPolicy: .bufferingNewest(1))
      let iterator = canaries.makeAsyncIterator()
      var released = 0
      for _ in 0..<3 {
        box.canary = Canary {
          released += 1
          _ = canaries.makeAsyncIterator()
        }
      }
      #expect(released == 2)
      box.canary = nil
      #expect(released == 3)
      withExtendedLifetime(iterator) {}
    }
  }
}

@KeyValueObservable
private final class CanaryBox {
  var canary: Canary?
}
