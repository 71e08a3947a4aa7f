#if Peers
  import KeyValueObservingRxSwift
  import Models
  import RxSwift

  /// Properties as observables, beside RxSwift's own.
  enum RxStreams {
    static var benchmarks: [Benchmark] {
      [
        Benchmark(typed, against: RxPublishProperty.set(observers: 1), goal: .ratio(1.3)),
        Benchmark(string, against: typed, goal: .ratio(1.5)),
        Benchmark(path, against: typed),
        Benchmark(subscribing, against: creating, goal: .ratio(2)),
      ]
    }

    private static var typed: Subject {
      assigning("rx.observe, set, 1 subscribed") { model, ledger in
        model.rx.observe(\.count, options: .new).subscribe(onNext: { ledger.note($0, at: 0) })
      }
    }

    private static var string: Subject {
      assigning("rx.observe of a string, set, 1 subscribed") { model, ledger in
        model.rx.observe(Int.self, "count", options: .new)
          .subscribe(onNext: { ledger.note($0 ?? 0, at: 0) })
      }
    }

    private static var path: Subject {
      Subject("rx.observeWeakly of 2 links, set, 1 subscribed", callbacks: 1) { ledger in
        let node = Node(count: 3)
        ledger.keep(
          Kept(
            node.rx.observeWeakly(Int.self, "next.next.value", options: .new)
              .subscribe(onNext: { ledger.note($0 ?? 0, at: 0) })))
        return { passes in
          for value in 0..<passes { node.next?.next?.value = value }
        }
      }
    }

    private static func assigning(
      _ name: String, _ subscribe: @escaping (Model, Ledger) -> any Disposable
    ) -> Subject {
      Subject(name, callbacks: 1) { ledger in
        let model = Model()
        ledger.keep(Kept(subscribe(model, ledger)))
        return { passes in
          for value in 0..<passes { model.count = value }
        }
      }
    }

    private static var subscribing: Subject {
      Subject("rx.observe, subscribe + dispose") { ledger in
        let counts = Model().rx.observe(\.count, options: .new, retaining: ledger)
        return { passes in
          for place in 0..<passes {
            counts.subscribe(onNext: { ledger.note($0, at: place) }).dispose()
          }
        }
      }
    }

    /// An observable that registers nothing.
    private static var creating: Subject {
      Subject("RxSwift Observable.create, subscribe + dispose") { ledger in
        let counts = Observable<Int>.create { _ in Disposables.create {} }
        return { passes in
          for place in 0..<passes {
            counts.subscribe(onNext: { ledger.note($0, at: place) }).dispose()
          }
        }
      }
    }
  }

  extension Reactive where Base == Model {
    /// The ledger keeps the object, which the observable does not.
    fileprivate func observe(
      _ keyPath: KeyPath<Model, Int>, options: KeyValueObservation.Options, retaining ledger: Ledger
    ) -> Observable<Int> {
      ledger.keep(base)
      return observe(keyPath, options: options)
    }
  }
#endif
