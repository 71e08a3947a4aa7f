#if canImport(Combine) || OpenCombine
  import Dispatch
  import KeyValueObservingOpenCombine
  import KeyValueObservingTesting
  import TestSupport
  import Testing

  @testable import KeyValueObservingCore

  #if canImport(Combine)
    import Combine
  #else
    import OpenCombine
  #endif

  extension AllTests {
    @Suite("Publishers of values and changes")
    struct PublisherTests {
      private let person = Person()

      @Test("P3, P31: sink receives the value and each change, until it is cancelled")
      func sink() {
        var ages: [Int] = []
        let cancellable = person.publisher(for: \.age).sink { ages.append($0) }
        person.age = 1
        cancellable.cancel()
        person.age = 2
        #expect(ages == [0, 1])
      }

      @Test("P26: a path that unwraps an object has no elements while that is nil")
      func unwrapping() {
        var names: [String] = []
        let cancellable = person.publisher(for: \.boss!.name).sink { names.append($0) }
        person.boss = Person()
        person.boss?.name = "Ada"
        person.boss = nil
        #expect(names == ["", "Ada"])
        cancellable.cancel()
      }

      @Test("P26: a value that waited for demand is not sent when the path has none any more")
      func unwrappingLate() {
        person.boss = Person()
        let names = TrackingSubscriber<String>()
        person.publisher(for: \.boss!.name).subscribe(names)
        person.boss?.name = "Ada"
        person.boss = nil
        names.subscription.request(.max(1))
        #expect(names.inputs == [])
        person.boss = Person()
        #expect(names.inputs == [""])
        names.subscription.cancel()
      }

      @Test("P32: the subscription is kept by the subscriber, and the observation ends with it")
      func keptBySubscriber() {
        var ages: [Int] = []
        var cancellables: Set<AnyCancellable> = []
        let publisher = person.publisher(for: \.age, options: .new)
        publisher.sink { ages.append($0) }.store(in: &cancellables)
        person.age = 1
        cancellables = []
        person.age = 2
        _ = publisher.sink { ages.append($0) }
        person.age = 3
        #expect(ages == [1])
        let isObserved = person.isObserved("age")
        #expect(!isObserved)
      }

      @Test("P32: tokens, observers and cancellables are kept in one set, of either kind")
      func oneBag() {
        var log: [String] = []
        var cancellables: Set<AnyCancellable> = []
        var tokens: Set<KeyValueObservation> = []
        person.onChange(of: \.age) { log.append("token \($0)") }.store(in: &cancellables)
        KeyValueObserver(source: person, keyPath: \.age, options: .new) { change, _ in
          log.append("observer \(change.newValue!)")
        }.store(in: &cancellables)
        person.publisher(for: \.age, options: .new).sink { log.append("sink \($0)") }
          .store(in: &tokens)
        person.onChange(of: \.age) { log.append("other \($0)") }.store(in: &tokens)
        person.age = 1
        #expect(log == ["token 1", "observer 1", "sink 1", "other 1"])
        cancellables = []
        person.age = 2
        #expect(log.dropFirst(4) == ["sink 2", "other 2"])
        tokens = []
        person.age = 3
        let isObserved = person.isObserved("age")
        #expect(log.count == 6 && !isObserved)
      }

      @Test("P5, P33: the publisher holds its object, the subscription does not, and completes")
      func lifetime() {
        weak var reference: Person?
        var isCompleted = false
        var publisher: KeyValueObservingPublisher<Person, Int>?
        do {
          let person = Person()
          reference = person
          publisher = person.publisher(for: \.age)
        }
        #expect(reference != nil)
        let cancellable = publisher?.sink(
          receiveCompletion: { _ in isCompleted = true }, receiveValue: { _ in })
        #expect(!isCompleted)
        publisher = nil
        #expect(reference == nil && isCompleted)
        cancellable?.cancel()
      }

      @Test("P2: with prior the value before a change comes first, so each change is two")
      func prior() {
        var ages: [Int] = []
        let all = person.publisher(for: \.age, options: [.initial, .new, .prior])
          .sink { ages.append($0) }
        person.age = 1
        person.age = 2
        #expect(ages == [0, 0, 1, 1, 2])
        all.cancel()
        var tags: [[String]] = []
        let edits = person.publisher(for: \.tags, options: [.new, .prior]).sink { tags.append($0) }
        person.mutableArrayValue(for: \.tags).append("a")
        person.mutableArrayValue(for: \.tags).append("b")
        #expect(tags == [[], ["a"], ["a"], ["a", "b"]])
        edits.cancel()
      }

      @Test("A publisher is equal to one of the same object, key path and options")
      func equatable() {
        let other = Person()
        #expect(person.publisher(for: \.age) == person.publisher(for: \.age))
        #expect(person.publisher(for: \.age) != other.publisher(for: \.age))
        #expect(person.publisher(for: \.age) != person.publisher(for: \.boss!.age))
        #expect(person.publisher(for: \.age) != person.publisher(for: \.age, options: .new))
        #expect(person.changePublisher(for: \.age) == person.changePublisher(for: \.age))
        #expect(
          person.changePublisher(for: \.age) != person.changePublisher(for: \.age, options: .old))
        let publisher = person.publisher(for: \.name, options: .new)
        #expect(publisher.object === person && publisher.keyPath == \.name)
        #expect(publisher.options == .new)
      }

      @Test("didChange sends () for each value")
      func didChange() {
        var count = 0
        let cancellable = person.publisher(for: \.age).didChange().sink { count += 1 }
        person.age = 1
        #expect(count == 2)
        cancellable.cancel()
      }

      @Test("P26, P35: changes have old values, indexes and reasons")
      func changes() {
        var changes: [KeyValueChange<String?>] = []
        let names = person.changePublisher(for: \.boss?.name, options: [.initial, .old, .new])
          .sink { changes.append($0) }
        person.boss = Person()
        person.boss?.name = "a"
        #expect(
          changes == [
            KeyValueChange(newValue: .some(nil)),
            KeyValueChange(newValue: "", oldValue: .some(nil), reason: .pathChanged),
            KeyValueChange(newValue: "a", oldValue: ""),
          ])
        names.cancel()
        var edits: [KeyValueChange<[String]>] = []
        let tags = person.changePublisher(for: \.tags).sink { edits.append($0) }
        person.mutableArrayValue(for: \.tags).append("a")
        #expect(edits.map(\.kind) == [.insertion] && edits.map(\.newValue) == [["a"]])
        tags.cancel()
      }

      @Test("P1: nothing is sent before receive(subscription:) has returned")
      func nothingBefore() {
        for options in [[.initial, .new], .new] as [KeyValueObservation.Options] {
          var log: [String] = []
          person.age = 0
          let subscriber = TrackingSubscriber<Int>(
            onSubscription: { [person] subscription in
              subscription.request(.unlimited)
              person.age = 1
              log.append("subscribed")
            },
            onValue: {
              log.append("\($0)")
              return .none
            })
          person.publisher(for: \.age, options: options).subscribe(subscriber)
          // Requests and sets in between follow in their order.
          #expect(
            log == (options.contains(.initial) ? ["subscribed", "0", "1"] : ["subscribed", "1"]))
          subscriber.subscription.cancel()
          subscriber.forget()
        }
      }

      @Test("P31: a subscription that is cancelled in receive(subscription:) receives nothing")
      func cancelledAtOnce() {
        let subscriber = TrackingSubscriber<Int>(onSubscription: {
          $0.request(.unlimited)
          $0.cancel()
        })
        person.publisher(for: \.age).subscribe(subscriber)
        person.age = 1
        let isObserved = person.isObserved("age")
        #expect(subscriber.inputs.isEmpty && !isObserved)
        subscriber.forget()
      }

      @Test("P11: values follow one another where a subscriber sets the property or requests more")
      func oneAtATime() {
        var log: [String] = []
        let subscriber = TrackingSubscriber<Int>(onValue: { [person] age in
          log.append("> \(age)")
          if age < 3 { person.age = age + 1 }
          log.append("< \(age)")
          return .max(1)
        })
        person.publisher(for: \.age).subscribe(subscriber)
        subscriber.subscription.request(.max(1))
        #expect(log == (0...3).flatMap { ["> \($0)", "< \($0)"] })
        subscriber.subscription.cancel()
        subscriber.forget()
      }

      @Test("P11: four threads that set one key 500 times are 2000 values, never two at a time")
      func threads() {
        let node = SharedNode()
        let received = Received()
        let cancellable = node.publisher(for: \.value, options: .new).sink { received.take($0) }
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
          for number in 0..<500 { node.value = thread * 500 + number }
        }
        cancellable.cancel()
        #expect(received.values.count == 2000 && !received.haveOverlapped)
      }

      @Test("P31: cancelling on another thread while values are sent leaves nothing behind")
      func cancelledElsewhere() {
        let node = SharedNode()
        // Each is used by one thread.
        nonisolated(unsafe) let cancellables = (0..<8).map { _ in
          node.publisher(for: \.sum).sink { _ in }
        }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
          for number in 0..<100 { node.value = number }
          cancellables[thread].cancel()
        }
        node.observationContext.checkInvariants()
        let isObserved = node.isObserved("value")
        #expect(!isObserved)
      }
    }

    @Suite("Conformance of the publisher of changes")
    struct PublisherConformanceTests {
      // The check of P49 observes a path through a collection, which only a string can spell.
      @Test(
        "the publisher of changes passes the conformance kit, but for paths through collections",
        arguments: KeyValueConformanceCheck.all.filter { $0.promise != "P49" })
      func changes(check: KeyValueConformanceCheck) {
        check.expect(
          of: KeyValueConformanceSource(
            key: "name", values: ("a", "b", "c"), link: "boss", surface: .publisher
          ) { Person() })
      }
    }
  }

  extension KeyValueConformanceSurface {
    /// The surface of `changePublisher(for:options:)`, whose completion is `sourceDeleted`.
    ///
    /// A string that is none of its key paths is one that has to be refused.
    fileprivate static var publisher: Self {
      Self(reportsDeallocation: true) { object, keyPath, options, handler in
        func sink<Object: KeyValueObservable, Value>(
          _ object: Object, _ keyPath: KeyPath<Object, Value>
        ) -> AnyCancellable {
          object.changePublisher(for: keyPath, options: options).sink(
            receiveCompletion: { _ in handler(KeyValueChange(reason: .sourceDeleted)) },
            receiveValue: { handler($0.mapValues { flatten($0) }) })
        }
        func sinkOfKey<Object: KeyValueObservable>(_ object: Object) throws -> AnyCancellable {
          guard let known = PropertyTable.of(Object.self).property(named: keyPath)?.keyPath else {
            let token = try object.observe(keyPath) { _, _ in }
            Issue.record("'\(keyPath)' has no key path here")
            return AnyCancellable { token.invalidate() }
          }
          func sinkOfValues<Value>(of _: Value.Type) throws -> AnyCancellable {
            sink(object, try #require(known as? KeyPath<Object, Value>))
          }
          return try _openExistential(type(of: known).valueType, do: sinkOfValues)
        }
        let cancellable =
          switch (object, keyPath) {
          case (let person as Person, "name"): sink(person, \.name)
          case (let person as Person, "boss"): sink(person, \.boss)
          case (let person as Person, "boss.name"): sink(person, \.boss?.name)
          case (let person as Person, "boss.boss.name"): sink(person, \.boss?.boss?.name)
          default: try sinkOfKey(object)
          }
        return { cancellable.cancel() }
      }
    }
  }

  extension KeyValueObservable {
    fileprivate func isObserved(_ key: StaticString) -> Bool {
      observationContext.keyWithObservers(named: KeyName(key)) != nil
    }
  }

  /// Notes what is not guarded: a subscriber must not be called while it is.
  private final class Received: @unchecked Sendable {
    private(set) var values: [Int] = []
    private(set) var haveOverlapped = false
    private var isBusy = false

    func take(_ value: Int) {
      if isBusy { haveOverlapped = true }
      isBusy = true
      values.append(value)
      isBusy = false
    }
  }
#endif
