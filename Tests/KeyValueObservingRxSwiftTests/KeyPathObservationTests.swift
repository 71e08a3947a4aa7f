#if RxSwift
  import KeyValueObservingRxSwift
  import RxSwift
  import Testing

  // After RxCocoa's KVOObservableTests, whose tests the functions are named after.
  extension AllTests {
    @Suite("rx.observe of key paths")
    struct KeyPathObservationTests {
      @Test("P5, P33: it sends each value, does not retain the object, and completes with it")
      func testKeyPathObservation_DefaultOptions() {
        var object: TestClass? = TestClass()
        let events = Events<String?>()
        let disposable = object!.rx.observe(\.pr).subscribe(events)
        object?.pr = "1"
        object?.pr = "2"
        object?.pr = nil
        object?.pr = "3"
        #expect(events.elements == ["0", "1", "2", nil, "3"])
        #expect(!events.isCompleted)
        object = nil
        #expect(events.isCompleted && events.elements.count == 5)
        disposable.dispose()
      }

      @Test("P26: a path that unwraps an object has no elements while that is nil")
      func unwrapping() {
        let person = Person()
        let events = Events<String>()
        let disposable = person.rx.observe(\.boss!.name).subscribe(events)
        person.boss = Person()
        person.boss?.name = "Ada"
        person.boss = nil
        #expect(events.elements == ["", "Ada"])
        disposable.dispose()
      }

      @Test("P3, P31: it begins with the value, and sends nothing after it is disposed")
      func testKeyPathObservation_NewAndInitialOptions() {
        let object = TestClass()
        let events = Events<String?>()
        let disposable = object.rx.observe(\.pr, options: [.new, .initial]).subscribe(events)
        object.pr = "1"
        object.pr = "2"
        object.pr = nil
        object.pr = "3"
        disposable.dispose()
        object.pr = "4"
        #expect(events.elements == ["0", "1", "2", nil, "3"])
        #expect(!events.isCompleted)
      }

      @Test("P2: without initial it begins with the first change")
      func testKeyPathObservation_NewOptions() {
        var object: TestClass? = TestClass()
        let events = Events<String?>()
        let disposable = object!.rx.observe(\.pr, options: [.new]).subscribe(events)
        #expect(events.elements.isEmpty)
        object?.pr = "1"
        object?.pr = "2"
        object?.pr = nil
        object?.pr = "3"
        #expect(events.elements == ["1", "2", nil, "3"])
        #expect(!events.isCompleted)
        object = nil
        #expect(events.isCompleted)
        disposable.dispose()
      }
    }

    @Suite("rx.observe of strings")
    struct StringObservationTests {
      private func expect(
        _ options: KeyValueObservation.Options?, begins first: [String?]
      ) {
        let object = TestClass()
        let events = Events<String?>()
        let observable =
          options.map { object.rx.observe(String.self, "pr", options: $0) }
          ?? object.rx.observe(String.self, "pr")
        let disposable = observable.subscribe(events)
        #expect(events.elements == first)
        object.pr = "1"
        object.pr = "2"
        object.pr = nil
        object.pr = "3"
        disposable.dispose()
        object.pr = "4"
        #expect(events.elements == first + ["1", "2", nil, "3"])
      }

      @Test("P2: without initial it begins with the first change")
      func test_New() { expect(.new, begins: []) }

      @Test("P3: with initial it begins with the value")
      func test_New_And_Initial() { expect([.initial, .new], begins: ["0"]) }

      @Test("P3: it begins with the value by default")
      func test_Default() { expect(nil, begins: ["0"]) }

      @Test(
        "P2: the element of a property that is nil is nil, if the type is an optional as well",
        arguments: ["pr", "self.pr"])
      func optionalType(keyPath: String) {
        let object = TestClass()
        let (events, weakEvents) = (Events<String??>(), Events<String??>())
        let disposables = [
          object.rx.observe(String?.self, keyPath).subscribe(events),
          object.rx.observeWeakly(String?.self, keyPath).subscribe(weakEvents),
        ]
        object.pr = nil
        object.pr = "1"
        #expect(events.elements == ["0", nil, "1"])
        #expect(weakEvents.elements == ["0", nil, "1"])
        for disposable in disposables { disposable.dispose() }
      }

      @Test("P5: an object may observe itself without being retained")
      func test_ObserveAndDontRetainWorks() {
        var latest: String?
        var parent: Parent? = Parent { latest = $0 }
        let end = End(of: parent!.rx.deallocated)
        #expect(latest == "" && !end.hasCome)
        parent?.val = "1"
        #expect(latest == "1" && !end.hasCome)
        parent = nil
        #expect(latest == "1" && end.hasCome)
      }

      @Test("P5: an object may be observed by what it owns without being retained")
      func test_ObserveAndDontRetainWorks2() {
        var latest: String?
        var parent: ParentWithChild? = ParentWithChild { latest = $0 }
        let end = End(of: parent!.rx.deallocated)
        #expect(latest == "" && !end.hasCome)
        parent?.val = "1"
        #expect(latest == "1" && !end.hasCome)
        parent = nil
        #expect(latest == "1" && end.hasCome)
      }
    }
  }

  @KeyValueObservable
  private final class Parent {
    var val = ""
    @KeyValueIgnored var disposeBag: DisposeBag? = DisposeBag()

    init(callback: @escaping (String?) -> Void) {
      rx.observe(String.self, "val", options: [.initial, .new], retainSelf: false)
        .subscribe(onNext: callback)
        .disposed(by: disposeBag!)
    }

    deinit { disposeBag = nil }
  }

  private final class Child {
    let disposeBag = DisposeBag()

    init(parent: ParentWithChild, callback: @escaping (String?) -> Void) {
      parent.rx.observe(String.self, "val", options: [.initial, .new], retainSelf: false)
        .subscribe(onNext: callback)
        .disposed(by: disposeBag)
    }
  }

  @KeyValueObservable
  private final class ParentWithChild {
    var val = ""
    @KeyValueIgnored var child: Child?

    init(callback: @escaping (String?) -> Void) {
      child = Child(parent: self, callback: callback)
    }
  }
#endif
