#if GObject
  import CMeasuredObjects
  import KeyValueObservingGObject

  /// The cost of observing GObjects, compared with handlers in C.
  enum GObjects: Suite {
    static let title = "GObjects, set in C"

    static var benchmarks: [Benchmark] {
      [
        Benchmark(plain),
        Benchmark(unobserved, against: plain, goal: .ratio(1.1)),
        Benchmark(handler),
        Benchmark(observed(), against: handler, goal: .ratio(1.5)),
        Benchmark(observedPath, against: observed(), goal: .ratio(1.3)),
        Benchmark(observedTypedPath, against: observed(), goal: .ratio(1.3)),
        Benchmark(connectAndDisconnect),
        Benchmark(registerAndEnd, goal: .amount(1000)),
      ]
    }

    private static var plain: Subject {
      Subject("GObject, no handler") { ledger in
        let object = measured_object_new()!
        return { passes in measured_object_set_upper(object, passes) }
      }
    }

    private static var unobserved: Subject {
      Subject("GObject, a source and no observer") { ledger in
        let source = makeSource()
        return { passes in measured_object_set_upper(source.pointer, passes) }
      }
    }

    private static var handler: Subject {
      Subject("GObject, 1 handler in C that reads", callbacks: 1) { ledger in
        let object = measured_object_new()!
        let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        count.initialize(to: 0)
        measured_object_connect_reader(object, count)
        return { passes in
          measured_object_set_upper(object, passes)
          ledger.note(times: count.pointee)
          count.pointee = 0
        }
      }
    }

    private static func observed() -> Subject {
      Subject("GObject, 1 observer of old and new", callbacks: 1) { ledger in
        let source = makeSource()
        ledger.keep(observing(source, "upper") { _, change in ledger.note(change) })
        return { passes in measured_object_set_upper(source.pointer, passes) }
      }
    }

    private static var observedPath: Subject {
      Subject("GObject, 1 observer of a path of 1 link, string", callbacks: 1) { ledger in
        let (source, child) = makeSources()
        ledger.keep(observing(source, "child.upper") { _, change in ledger.note(change) })
        return { passes in
          measured_object_set_upper(child.pointer, passes)
          withExtendedLifetime(source) {}
        }
      }
    }

    private static var observedTypedPath: Subject {
      Subject("GObject, 1 observer of a path of 1 link, typed", callbacks: 1) { ledger in
        let (source, child) = makeSources()
        ledger.keep(
          source.observe(\.[.child]?[.upper], options: [.old, .new]) { _, change in
            ledger.note(change.newValue != nil && change.oldValue != nil ? 1 : 0)
          })
        return { passes in
          measured_object_set_upper(child.pointer, passes)
          withExtendedLifetime(source) {}
        }
      }
    }

    private static var connectAndDisconnect: Subject {
      Subject("GObject, connect + disconnect a handler in C") { ledger in
        let object = measured_object_new()!
        return { passes in measured_object_connect_and_disconnect(object, passes) }
      }
    }

    private static var registerAndEnd: Subject {
      Subject("GObject, register + end") { ledger in
        let source = makeSource()
        return { passes in
          for _ in 0..<passes {
            let observation = observing(source, "upper") { _, change in ledger.note(change) }
            withExtendedLifetime(observation) {}
          }
        }
      }
    }

    /// The source of an object to which C has a reference as well, as it has to widgets, until the program
    /// ends.
    private static func makeSource() -> GObjectSource { .of(measured_object_new()) }

    private static func makeSources() -> (GObjectSource, child: GObjectSource) {
      let (source, child) = (makeSource(), makeSource())
      measured_object_set_child(source.pointer, child.pointer)
      return (source, child)
    }
  }

  extension GObjectKey {
    fileprivate static var child: GObjectKey<GObjectSource> { "child" }
    fileprivate static var upper: GObjectKey<Double> { "upper" }
  }
#endif
