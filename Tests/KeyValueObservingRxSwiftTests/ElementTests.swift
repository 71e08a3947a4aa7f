#if RxSwift
  import KeyValueObservingRxSwift
  import KeyValueObservingTesting
  import RxSwift
  import Testing

  extension AllTests {
    @Suite("What is sent")
    struct ElementTests {
      private let person = Person()

      @Test("P2: prior notifications are changes, and no values")
      func priors() {
        let (values, texts) = (Events<Int>(), Events<Int?>())
        let changes = Events<KeyValueChange<Int>>()
        let options: KeyValueObservation.Options = [.new, .old, .prior, .initial]
        let bag = DisposeBag()
        person.rx.observe(\.age, options: options).subscribe(values).disposed(by: bag)
        person.rx.observe(Int.self, "age", options: options).subscribe(texts).disposed(by: bag)
        person.rx.changes(of: \.age, options: options).subscribe(changes).disposed(by: bag)
        person.age = 1
        #expect(values.elements == [0, 1] && texts.elements == [0, 1])
        #expect(
          changes.elements == [
            KeyValueChange(newValue: 0), KeyValueChange(oldValue: 0, isPrior: true),
            KeyValueChange(newValue: 1, oldValue: 0),
          ])
      }

      @Test("P2, P9: values are sent whatever the options say, and distinct is respected")
      func options() {
        let (silent, distinct) = (Events<Int>(), Events<Int>())
        let bag = DisposeBag()
        person.rx.observe(\.age, options: []).subscribe(silent).disposed(by: bag)
        person.rx.observe(\.age, options: .distinct).subscribe(distinct).disposed(by: bag)
        person.age = 0
        person.age = 1
        #expect(silent.elements == [0, 1] && distinct.elements == [1])
      }

      @Test("P35: after an edit by proxy the value is the whole collection, the change is the edit")
      func edits() throws {
        let (typed, text) = (Events<[String]>(), Events<[String]?>())
        let (changes, paths) = (Events<KeyValueChange<[String]>>(), Events<KeyValueChange<Any?>>())
        let bag = DisposeBag()
        person.rx.observe(\.tags).subscribe(typed).disposed(by: bag)
        person.rx.observe([String].self, "tags").subscribe(text).disposed(by: bag)
        person.rx.changes(of: \.tags).subscribe(changes).disposed(by: bag)
        person.rx.changes(of: "tags").subscribe(paths).disposed(by: bag)
        person.mutableArrayValue(for: \.tags).append("a")
        person.mutableArrayValue(for: \.tags).append("b")
        #expect(typed.elements == [[], ["a"], ["a", "b"]])
        #expect(text.elements == [[], ["a"], ["a", "b"]])
        #expect(changes.elements.map(\.kind) == [.insertion, .insertion])
        #expect(changes.elements.map(\.newValue) == [["a"], ["b"]])
        #expect(paths.elements.map(\.indexes) == changes.elements.map(\.indexes))
      }

      @Test("P26, P27: changes say why the value changed, also that an object was deallocated")
      func reasons() {
        let changes = Events<KeyValueChange<String?>>()
        let names = Events<String?>()
        let bag = DisposeBag()
        person.rx.changes(of: \.friend?.name).subscribe(changes).disposed(by: bag)
        person.rx.observeWeakly(String.self, "friend.name").subscribe(names).disposed(by: bag)
        var friend: Person? = Person()
        person.friend = friend
        friend?.name = "a"
        friend = nil
        #expect(changes.elements.map(\.reason) == [.pathChanged, .valueChanged, .pathChanged])
        #expect(names.elements == [nil, "", "a", nil])
      }

      @Test("P42: numbers are converted, and one that the type does not hold is nil")
      func conversion() {
        person.anything = Int32(7)
        let (bytes, values) = (Events<Int8?>(), Events<Double?>())
        let bag = DisposeBag()
        person.rx.observe(Int8.self, "anything").subscribe(bytes).disposed(by: bag)
        person.rx.observe(Double.self, "anything").subscribe(values).disposed(by: bag)
        person.anything = 300
        person.anything = true
        #expect(bytes.elements == [7, nil, 1] && values.elements == [7, 300, 1])
      }

      @Test("P8: a computed property and a path through optionals are observed as they stand")
      func computed() {
        let node = Person()
        let names = Events<String?>()
        let disposable = node.rx.observe(\.boss?.name).subscribe(names)
        node.boss = Person()
        node.boss?.name = "a"
        node.boss = nil
        #expect(names.elements == [nil, "", "a", nil])
        disposable.dispose()
      }
    }

    @Suite("Isolation")
    struct RxIsolationTests {
      @Test("P40: a class that is isolated to the main actor uses rx without warnings")
      @MainActor
      func mainActor() {
        let screen = Screen()
        let model = Person()
        screen.bind(to: model)
        model.name = "a"
        #expect(screen.title == "a" && screen.titles == ["", "a"])
        var count = 0
        let disposable = screen.rx.observe(\.title).subscribe(onNext: { _ in count += 1 })
        model.name = "b"
        #expect(count == 2)
        disposable.dispose()
      }
    }

    @Suite("Conformance of changes")
    struct RxConformanceTests {
      @Test("rx.changes passes the conformance kit", arguments: KeyValueConformanceCheck.all)
      func changes(check: KeyValueConformanceCheck) {
        check.expect(
          of: KeyValueConformanceSource(
            key: "name", values: ("a", "b", "c"), link: "boss", surface: .rxChanges
          ) { Person() })
      }
    }
  }

  @MainActor
  @KeyValueObservable
  private final class Screen {
    var title = ""
    @KeyValueIgnored var titles: [String] = []
    @KeyValueIgnored private let bag = DisposeBag()

    func bind(to model: Person) {
      model.rx.observe(\.name)
        .subscribe(onNext: { [unowned self] name in
          title = name
          titles.append(name)
        })
        .disposed(by: bag)
    }
  }

  extension KeyValueConformanceSurface {
    /// The surface of `rx.changes(of:)`, whose completion is `sourceDeleted`.
    ///
    /// An error in subscribing is the error of the stream.
    fileprivate static var rxChanges: Self {
      Self(reportsDeallocation: true) { object, keyPath, options, handler in
        func observe(_ object: some KeyValueObservable) throws -> () -> Void {
          var failure: (any Error)?
          let bag = DisposeBag()
          let disposable = object.rx.changes(of: keyPath, options: options).subscribe(
            onNext: handler, onError: { failure = $0 },
            onCompleted: { handler(KeyValueChange(reason: .sourceDeleted)) })
          disposable.disposed(by: bag)
          if let failure { throw failure }
          return {
            withExtendedLifetime(bag) {}
            disposable.dispose()
          }
        }
        return try observe(object)
      }
    }
  }
#endif
