import KeyValueObserving
import Observation
import Testing

extension AllTests {
  @Suite("Weak properties tracked by the module Observation")
  struct TrackedTargetTests {
    @Test("P95: the deallocation of a weak property's object notifies it, observed or not")
    func deallocation() {
      let recorder = Recorder()
      let leash = Leash()
      var dog: LeashedDog? = LeashedDog()
      leash.dog = dog
      #expect(changes(of: leash.dog?.name) { dog = nil } == 1)
      dog = LeashedDog()
      leash.dog = dog
      let token = leash.observe(\.dog, options: [.new], changeHandler: recorder.receives("·"))
      #expect(changes(of: leash.dog == nil) { dog = nil } == 1)
      #expect(recorder.take() == ["· →nil"])
      token.invalidate()
    }

    @Test("P95: also of the object that an initializer assigned, and in a subclass")
    func subclass() {
      var dog: LeashedDog? = LeashedDog()
      let leash = LongLeash(second: dog)
      #expect(changes(of: leash.second == nil) { dog = nil } == 1)
      dog = LeashedDog()
      leash.dog = dog
      #expect(changes(of: leash.dog == nil) { dog = nil } == 1)
    }

    @Test("P95: an observer that ends does not end it")
    func endOfObserver() {
      let leash = Leash()
      var dog: LeashedDog? = LeashedDog()
      leash.dog = dog
      let counter = Counter()
      withObservationTracking {
        _ = leash.dog
      } onChange: {
        counter.increment()
      }
      leash.observe(\.dog) { _, _ in }.invalidate()
      dog = nil
      #expect(counter.value == 1)
    }

    @Test("P95: an object that the property no longer holds is silent")
    func formerObject() {
      let recorder = Recorder()
      let leash = Leash()
      var former: LeashedDog? = LeashedDog()
      leash.dog = former
      _ = leash.dog
      leash.dog = nil
      let token = leash.observe(\.dog, options: [.new], changeHandler: recorder.receives("·"))
      #expect(changes(of: leash.dog == nil) { former = nil } == 0)
      let current = LeashedDog()
      former = LeashedDog()
      leash.dog = former
      leash.dog = current
      #expect(recorder.take().count == 2)
      #expect(changes(of: leash.dog == nil) { former = nil } == 0)
      #expect(recorder.take() == [])
      withExtendedLifetime((token, current)) {}
    }

    @Test("P95: neither object keeps the other")
    func lifetimes() {
      let dog = LeashedDog()
      weak var formerLeash: Leash?
      do {
        let leash = Leash()
        leash.dog = dog
        _ = leash.dog
        formerLeash = leash
      }
      #expect(formerLeash == nil)
      withExtendedLifetime(dog) {}
    }

    @Test("P95: a Sendable class is notified as well")
    func guarded() {
      let leash = SharedLeash()
      var dog: SharedLeashedDog? = SharedLeashedDog()
      leash.dog = dog
      #expect(changes(of: leash.dog == nil) { dog = nil } == 1)
    }
  }
}

@KeyValueObservable
final class LeashedDog {
  var name = ""
}

@KeyValueObservable
class Leash: Observable {
  weak var dog: LeashedDog?
}

@KeyValueObservable
final class LongLeash: Leash {
  weak var second: LeashedDog?

  init(second: LeashedDog?) {
    self.second = second
  }
}

@KeyValueObservable
final class SharedLeashedDog: Sendable {}

@KeyValueObservable
final class SharedLeash: Observable, Sendable {
  weak var dog: SharedLeashedDog?
}
