#if RxSwift
  import Dispatch
  import KeyValueObservingRxSwift
  import RxSwift
  import TestSupport
  import Testing

  @testable import KeyValueObservingCore

  extension AllTests {
    @Suite("Subscriptions")
    struct SubscriptionTests {
      private let person = Person()

      @Test("P4: each subscription is its own registration, and ends on its own")
      func independent() {
        let ages = person.rx.observe(\.age, options: .new)
        let (first, second) = (Events<Int>(), Events<Int>())
        let disposable = ages.subscribe(first)
        let other = ages.subscribe(second)
        person.age = 1
        disposable.dispose()
        disposable.dispose()
        person.age = 2
        #expect(first.elements == [1] && second.elements == [1, 2])
        other.dispose()
        person.observationContext.checkInvariants()
      }

      @Test("P32: tokens, observers and disposables are kept in one bag, of either kind")
      func oneBag() {
        var log: [String] = []
        var bag = DisposeBag()
        var tokens: Set<KeyValueObservation> = []
        person.onChange(of: \.age) { log.append("token \($0)") }.disposed(by: bag)
        KeyValueObserver(source: person, keyPath: \.age, options: .new) { change, _ in
          log.append("observer \(change.newValue!)")
        }.disposed(by: bag)
        person.rx.observe(\.age, options: .new).subscribe(onNext: { log.append("stream \($0)") })
          .store(in: &tokens)
        person.onChange(of: \.age) { log.append("other \($0)") }.store(in: &tokens)
        person.age = 1
        #expect(log == ["token 1", "observer 1", "stream 1", "other 1"])
        bag = DisposeBag()
        person.age = 2
        #expect(log.dropFirst(4) == ["stream 2", "other 2"])
        tokens = []
        person.age = 3
        #expect(log.count == 6)
        withExtendedLifetime(bag) {}
      }

      @Test("P31: a subscription may be disposed inside onNext, also inside its first element")
      func disposedInside() {
        for keyPath in ["age", "boss.age"] {
          person.boss = person
          person.age = 0
          let disposable = SerialDisposable()
          var elements: [Int?] = []
          disposable.disposable = person.rx.observe(Int.self, keyPath).subscribe(onNext: {
            elements.append($0)
            if $0 == 1 { disposable.dispose() }
          })
          person.age = 1
          person.age = 2
          #expect(elements == [0, 1])
          let first = person.rx.observe(Int.self, keyPath).take(1).subscribe(onNext: {
            elements.append($0)
          })
          person.age = 3
          #expect(elements == [0, 1, 2])
          first.dispose()
          person.boss = nil
        }
      }

      @Test("P5: retainSelf keeps the object until the subscription is disposed, and no longer")
      func retaining() {
        weak var reference: Person?
        var disposable: (any Disposable)?
        do {
          let person = Person()
          reference = person
          disposable = person.rx.observe(Int.self, "age").subscribe()
        }
        #expect(reference != nil)
        disposable?.dispose()
        #expect(reference == nil)
      }

      @Test("P5: the others keep nothing, neither subscribed nor before")
      func notRetaining() {
        weak var reference: Person?
        var kept: [Any] = []
        let completed = Events<Int>()
        do {
          let person = Person()
          reference = person
          let observables = [
            person.rx.observe(Int.self, "age", retainSelf: false).map { $0 ?? -1 },
            person.rx.observeWeakly(Int.self, "boss.age").map { $0 ?? -1 },
            person.rx.observe(\.age), person.rx.changes(of: \.age).map { $0.newValue! },
            person.rx.deallocated.map { -2 },
          ]
          kept = observables.map { $0.subscribe() } + observables
          _ = Observable.merge(observables).subscribe(completed)
        }
        #expect(reference == nil && completed.isCompleted)
        withExtendedLifetime(kept) {}
      }

      @Test("P6: a key path that is refused is the error of that subscription alone")
      func refused() {
        let good = Events<Int?>()
        let other = person.rx.observe(Int.self, "age").subscribe(good)
        for keyPath in ["agee", "", "age.", "boss..age", "name.length"] {
          let (values, weak, changes) = (
            Events<Int?>(), Events<Int?>(), Events<KeyValueChange<Any?>>()
          )
          _ = person.rx.observe(Int.self, keyPath).subscribe(values)
          _ = person.rx.observeWeakly(Int.self, keyPath).subscribe(weak)
          _ = person.rx.changes(of: keyPath).subscribe(changes)
          #expect(values.error is KeyValueCodingError && weak.error is KeyValueCodingError)
          #expect(changes.error is KeyValueCodingError)
        }
        person.age = 1
        #expect(good.elements == [0, 1] && good.error == nil)
        other.dispose()
      }

      @Test("P33: a subscription after the object was deallocated completes at once")
      func late() {
        var person: Person? = Person()
        let ages = person!.rx.observe(\.age)
        let weak = person!.rx.observeWeakly(Int.self, "age")
        person = nil
        let (first, second) = (Events<Int>(), Events<Int?>())
        _ = ages.subscribe(first)
        _ = weak.subscribe(second)
        #expect(first.isCompleted && first.elements.isEmpty)
        #expect(second.isCompleted && second.elements.isEmpty)
      }

      @Test("P11: a set inside the first element is sent after it")
      func setInInitial() {
        person.boss = person
        let paths: [Observable<Int>] = [
          person.rx.observe(\.age), person.rx.observe(Int.self, "age").map { $0! },
          person.rx.observe(\.boss!.age), person.rx.observeWeakly(Int.self, "boss.age").map { $0! },
        ]
        for ages in paths {
          person.age = 0
          var log: [String] = []
          let disposable = ages.subscribe(onNext: { [person] age in
            log.append("> \(age)")
            if age < 3 { person.age = age + 1 }
            log.append("< \(age)")
          })
          #expect(log == (0...3).flatMap { ["> \($0)", "< \($0)"] })
          disposable.dispose()
        }
        person.boss = nil
      }

      @Test("P11: four threads that set one key 500 times are 2000 elements, never two at a time")
      func threads() {
        let node = SharedNode()
        let streams: [Observable<Int>] = [
          node.rx.observe(\.value, options: .new),
          node.rx.changes(of: \.value).map { $0.newValue! },
          node.rx.observe(Int.self, "value", options: .new).map { $0! },
        ]
        let received = streams.map { _ in Received() }
        let bag = DisposeBag()
        for (stream, received) in zip(streams, received) {
          stream.subscribe(onNext: { received.take($0) }).disposed(by: bag)
        }
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
          for number in 0..<500 { node.value = thread * 500 + number }
        }
        for received in received {
          #expect(received.values.count == 2000 && !received.haveOverlapped)
        }
      }

      @Test("P31: a subscription may be disposed on another thread while elements are sent")
      func disposedElsewhere() {
        let node = SharedNode()
        // Each is used by one thread.
        nonisolated(unsafe) let disposables = (0..<8).map { _ in node.rx.observe(\.sum).subscribe()
        }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
          for number in 0..<100 { node.value = number }
          disposables[thread].dispose()
        }
        node.observationContext.checkInvariants()
        let isObserved = node.observationContext.keyWithObservers(named: KeyName("value")) != nil
        #expect(!isObserved)
      }
    }
  }

  /// Notes what is not guarded: RxSwift must not be called while it is.
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
