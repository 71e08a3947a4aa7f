#if canImport(Combine) || OpenCombine
  import KeyValueObservingOpenCombine
  import Testing

  #if canImport(Combine)
    import Combine
  #else
    import OpenCombine
  #endif

  // After OpenCombine's CurrentValueSubjectTests (with `initial`), PassthroughSubjectTests (without) and
  // PublishedTests, whose tests the functions are named after: a property is in place of the subject, and
  // the deallocation of its object in place of `send(completion:)`.
  //
  // Not applicable, because a property has no failures, no subscriptions of its own and no `send`:
  // testSendFailureCompletion, testMultipleCompletions, testValuesAfterCompletion,
  // testChangeValueAfterCompletion, testSendValueAfterCompletion, testSubscriptionAfterCompletion,
  // testSendSubscription, testCancelsUpstreamSubscriptionsOnDeinit, testConduitReflection,
  // testAssignToPublished. testCrashOnZeroInitialDemand: a request for nothing is ignored.
  extension AllTests {
    @Suite("Demand, after the tests of subjects")
    struct PeerDemandTests {
      private static let initialDemands: [Subscribers.Demand?] = [
        nil, .max(1), .max(2), .max(10), .unlimited,
      ]
      private static let subsequentDemands: [[Subscribers.Demand]] = [
        Array(repeating: .max(0), count: 5), Array(repeating: .max(1), count: 10),
        [.max(1), .max(0), .max(1), .max(0)], [.max(0), .max(1), .max(2)], [.unlimited, .max(1)],
      ]

      /// How many values each of 25 combinations of demands receives of a property that is set some times.
      private func counts(
        _ options: KeyValueObservation.Options, setting times: Int
      ) -> [Int] {
        var counts: [Int] = []
        for initial in Self.initialDemands {
          for subsequent in Self.subsequentDemands {
            var person: Person? = Person()
            person?.age = 112
            var count = 0
            let subscriber = TrackingSubscriber<Int>(
              onSubscription: { subscription in initial.map { subscription.request($0) } },
              onValue: { _ in
                defer { count += 1 }
                return count < subsequent.count ? subsequent[count] : .none
              })
            person?.age -= 1
            person!.publisher(for: \.age, options: options).subscribe(subscriber)
            #expect(subscriber.subscriptions.count == 1 && subscriber.completionCount == 0)
            let isSent = initial != nil && options.contains(.initial)
            #expect(subscriber.inputs == (isSent ? [111] : []))
            for _ in 0..<times { person?.age += 1 }
            person = nil
            #expect(subscriber.completionCount == 1)
            counts.append(subscriber.inputs.count)
          }
        }
        return counts
      }

      @Test("With initial, values are sent as by a CurrentValueSubject")
      func testRequestingDemandOfCurrentValue() {
        #expect(
          counts([.initial, .new], setting: 21) == [
            0, 0, 0, 0, 0, 1, 11, 2, 1, 22, 2, 12, 4, 5, 22, 10, 20, 12, 13, 22, 22, 22, 22, 22, 22,
          ])
      }

      @Test("Without initial, values are sent as by a PassthroughSubject")
      func testRequestingDemandOfPassthrough() {
        #expect(
          counts(.new, setting: 20) == [
            0, 0, 0, 0, 0, 1, 11, 2, 1, 20, 2, 12, 4, 5, 20, 10, 20, 12, 13, 20, 20, 20, 20, 20, 20,
          ])
      }

      @Test("Requests add up")
      func testRequestSeveralTimes() {
        let person = Person()
        person.age = -1
        let subscriber = TrackingSubscriber<Int>()
        person.publisher(for: \.age).subscribe(subscriber)
        #expect(subscriber.inputs == [])
        subscriber.subscription.request(.max(2))
        subscriber.subscription.request(.max(3))
        subscriber.subscription.request(.max(1))
        #expect(subscriber.inputs == [-1])
        for age in 0..<10 { person.age = age }
        #expect(subscriber.inputs == [-1, 0, 1, 2, 3, 4])
        subscriber.subscription.cancel()
        subscriber.forget()
      }

      @Test(
        "What a subscriber returns is added to what it has requested, and the newest value waits")
      func testPublishedSubjectDemand() {
        let person = Person()
        let subscriber = TrackingSubscriber<Int>(onValue: { .max($0) })
        person.publisher(for: \.age).subscribe(subscriber)
        subscriber.subscription.request(.max(2))
        #expect(subscriber.inputs == [0])
        person.age = 1
        person.age = 2
        #expect(subscriber.inputs == [0, 1, 2])
        for _ in 0..<3 { person.age = 0 }
        #expect(subscriber.inputs == [0, 1, 2, 0, 0], "one value waits")
        subscriber.subscription.request(.max(2))
        subscriber.subscription.request(.max(3))
        #expect(subscriber.inputs == [0, 1, 2, 0, 0, 0])
        for _ in 0..<4 { person.age = 0 }
        person.age = 1
        #expect(subscriber.inputs == [0, 1, 2, 0, 0, 0, 0, 0, 0, 0], "one value waits")
        subscriber.subscription.request(.max(1))
        person.age = 0
        person.age = 0
        #expect(subscriber.inputs == [0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0])
        subscriber.subscription.cancel()
        subscriber.forget()
      }

      @Test("P31: a subscription may be cancelled again, and requests nothing after that")
      func testPublishedSubjectCancelAlreadyCancelled() {
        let person = Person()
        let subscriber = TrackingSubscriber<Int>(onValue: { _ in .max(1) })
        person.publisher(for: \.age).subscribe(subscriber)
        subscriber.subscription.request(.max(1))
        subscriber.subscription.cancel()
        subscriber.subscription.request(.max(100))
        subscriber.subscription.cancel()
        person.age = 42
        #expect(subscriber.inputs == [0] && subscriber.completionCount == 0)
        subscriber.forget()
      }

      @Test("P4: a subscriber may subscribe several times, also inside receive(subscription:)")
      func testMultipleSubscriptions() {
        for options in [[.initial, .new], .new] as [KeyValueObservation.Options] {
          let person = Person()
          person.age = 112
          let publisher = person.publisher(for: \.age, options: options)
          let hook = Hook()
          let subscriber = TrackingSubscriber<Int>(onSubscription: { subscription in
            subscription.request(.unlimited)
            hook.run()
          })
          hook.body = { [unowned subscriber] in
            if subscriber.subscriptions.count < 10 { publisher.subscribe(subscriber) }
          }
          publisher.subscribe(subscriber)
          let first = options.contains(.initial) ? [112] : []
          #expect(subscriber.subscriptions.count == 10)
          #expect(subscriber.inputs == Array(repeating: first, count: 10).flatMap { $0 })
          publisher.subscribe(subscriber)
          #expect(subscriber.subscriptions.count == 11)
          person.age = 1
          let before = Array(repeating: first, count: 11).flatMap { $0 }
          #expect(subscriber.inputs == before + Array(repeating: 1, count: 11))
          for (place, subscription) in subscriber.subscriptions.enumerated()
          where place.isMultiple(of: 2) {
            subscription.cancel()
          }
          person.age = 200
          #expect(subscriber.inputs.filter { $0 == 200 }.count == 5)
          subscriber.subscriptions.forEach { $0.cancel() }
          subscriber.forget()
          hook.body = {}
        }
      }

      @Test("P31: nothing is sent after cancel, whatever is requested")
      func testCancellation() {
        for options in [[.initial, .new], .new] as [KeyValueObservation.Options] {
          let person = Person()
          person.age = 42
          let subscriber = TrackingSubscriber<Int>()
          person.publisher(for: \.age, options: options).subscribe(subscriber)
          subscriber.subscription.request(.max(12))
          person.age = 1
          subscriber.subscription.cancel()
          subscriber.subscription.cancel()
          subscriber.subscription.request(.max(3))
          subscriber.subscription.request(.max(4))
          person.age = 2
          #expect(subscriber.inputs == (options.contains(.initial) ? [42, 1] : [1]))
          subscriber.forget()
        }
      }

      @Test(
        "P33: completion needs no demand, and a subscriber is released with it or when it cancels")
      func testLifecycle() {
        var deinitCount = 0
        do {
          var person: Person? = Person()
          let subscriber = TrackingSubscriber<Int>(onDeinit: { deinitCount += 1 })
          person!.publisher(for: \.age).subscribe(subscriber)
          person?.age += 1
          #expect(subscriber.inputs.isEmpty && subscriber.completionCount == 0)
          person = nil
          #expect(subscriber.inputs.isEmpty && subscriber.completionCount == 1)
        }
        #expect(deinitCount == 1)
        let person = Person()
        var subscription: (any Subscription)?
        do {
          let subscriber = TrackingSubscriber<Int>(
            onSubscription: {
              subscription = $0
              $0.request(.unlimited)
            }, onDeinit: { deinitCount += 1 })
          person.publisher(for: \.age).subscribe(subscriber)
          person.age = 31
          #expect(subscriber.inputs == [0, 31])
          subscriber.forget()
        }
        #expect(deinitCount == 1)
        subscription?.cancel()
        #expect(deinitCount == 2)
        subscription = nil
      }

      @Test(
        "P32: cancellation and completion release subscriber, subscription and object",
        arguments: [false, true])
      func testReleasesEverythingOnTermination(isCancelled: Bool) {
        weak var subscriber: TrackingSubscriber<Int>?
        weak var subscription: AnyObject?
        weak var object: Person?
        var person: Person? = Person()
        object = person
        do {
          let made = TrackingSubscriber<Int>(onSubscription: { subscription = $0 as AnyObject })
          subscriber = made
          person!.publisher(for: \.age).subscribe(made)
        }
        #expect(subscriber != nil && subscription != nil && object != nil)
        if isCancelled {
          (subscription as? any Subscription)?.cancel()
          subscriber?.forget()
          #expect(subscriber == nil && subscription == nil)
        }
        person = nil
        #expect(subscriber == nil && subscription == nil && object == nil)
      }
    }
  }

  /// The work for a callback of a subscriber that does not know itself yet.
  private final class Hook {
    var body: () -> Void = {}
    func run() { body() }
  }
#endif
