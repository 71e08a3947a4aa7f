#if RxSwift
  import KeyValueObservingRxSwift
  import RxSwift
  import Testing

  extension AllTests {
    // After RxCocoa's NSObjectTests. `rx.deallocating` is `rx.deallocated` here.
    @Suite("rx.deallocated")
    struct DeallocatedTests {
      @Test("P33: it sends one element when the object has been deallocated")
      func testDeallocated_ObservableFires() {
        var object: Leaf? = Leaf()
        let events = Events<Int>()
        _ = object!.rx.deallocated.map { _ in 1 }.subscribe(events)
        object?.name = "a"
        #expect(events.elements.isEmpty && !events.isCompleted)
        object = Leaf()
        #expect(events.elements == [1])
        withExtendedLifetime(object) {}
      }

      @Test("P33: it completes then")
      func testDeallocated_ObservableCompletes() {
        var person: Person? = Person()
        let events = Events<Int>()
        _ = person!.rx.deallocated.map { _ in 1 }.subscribe(events)
        #expect(!events.isCompleted)
        person = nil
        #expect(events.isCompleted)
      }

      @Test("P31: it sends nothing after it is disposed")
      func testDeallocated_ObservableDispose() {
        var person: Person? = Person()
        let events = Events<Int>()
        person!.rx.deallocated.map { _ in 1 }.subscribe(events).dispose()
        person = nil
        #expect(events.elements.isEmpty && !events.isCompleted)
      }

      @Test("P33: the element comes after the deinit of the object")
      func testDeallocating_ObservableFires() {
        var log: [String] = []
        var ending: Ending? = Ending { log.append("deinit") }
        _ = ending!.rx.deallocated.subscribe(
          onNext: { log.append("next") }, onCompleted: { log.append("completed") })
        ending = nil
        #expect(log == ["deinit", "next", "completed"])
      }

      @Test("P33: several subscriptions are sent to in their order, and to each once")
      func testDeallocating_ObservableCompletes() {
        var person: Person? = Person()
        var log: [Int] = []
        let deallocated = person!.rx.deallocated
        for number in 1...3 { _ = deallocated.subscribe(onCompleted: { log.append(number) }) }
        person = nil
        #expect(log == [1, 2, 3])
      }

      @Test("P31: one of several that is disposed in the element of another receives nothing")
      func testDeallocating_ObservableDispose() {
        var person: Person? = Person()
        let events = Events<Void>()
        let disposable = SerialDisposable()
        _ = person!.rx.deallocated.subscribe(onNext: { disposable.dispose() })
        disposable.disposable = person!.rx.deallocated.subscribe(events)
        person = nil
        #expect(events.elements.isEmpty && !events.isCompleted)
      }

      @Test("P5: a subscription after that sends and completes at once")
      func late() {
        var person: Person? = Person()
        let deallocated = person!.rx.deallocated
        person = nil
        let events = Events<Void>()
        _ = deallocated.subscribe(events)
        #expect(events.elements.count == 1 && events.isCompleted)
      }
    }

    // After RxSwift's ReactiveTests.
    @Suite("rx")
    struct ReactiveTests {
      @Test("An extension of Reactive may have settable properties")
      func testEnablesMutations() {
        let object = MyObject()
        object.rx.somethingPublic = "Aha"
        #expect(object.something == "Aha" && object.rx.somethingPublic == "Aha")
      }

      @Test("An extension of Reactive may be one for a protocol")
      func testReactiveProtocol() {
        let object = MyObject()
        #expect(object.rx.numberPublic == 0)
        object.number = 1000
        #expect(object.rx.numberPublic == 1000)
      }

      @Test("A property is a binder, which sets it and notifies its observers")
      @MainActor
      func testDynamicLookup() {
        let object = MyObject()
        let events = Events<Int>()
        let disposable = object.rx.observe(\.number).subscribe(events)
        _ = Observable.just(10).subscribe(object.rx.number)
        #expect(object.number == 10 && events.elements == [0, 10])
        disposable.dispose()
      }
    }
  }

  private protocol Objecting: KeyValueObservable {
    var number: Int { get set }
  }

  @KeyValueObservable
  private final class MyObject: Objecting {
    var number = 0
    var something = ""
  }

  extension Reactive where Base: MyObject {
    fileprivate var somethingPublic: String {
      get { base.something }
      set { base.something = newValue }
    }
  }

  extension Reactive where Base: Objecting {
    fileprivate var numberPublic: Int { base.number }
  }

  @KeyValueObservable
  private final class Ending {
    private let onDeinit: () -> Void
    init(_ onDeinit: @escaping () -> Void) { self.onDeinit = onDeinit }
    deinit { onDeinit() }
  }
#endif
