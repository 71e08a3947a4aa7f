import Models

/// The cost of a property without observers.
enum Unobserved: Suite {
  static let title = "A property without observers"

  static var benchmarks: [Benchmark] {
    [
      Benchmark(getInternal),
      Benchmark(getPublic),
      Benchmark(getOwn, against: getInternal, goal: .ratio(1.5)),
      Benchmark(getOther, against: getInternal),
      Benchmark(getOther, against: getPublic, goal: .ratio(0.5)),
      Benchmark(setInternal),
      Benchmark(setPublic),
      Benchmark(setOwn, against: setInternal, goal: .ratio(1.5)),
      Benchmark(setOther, against: setInternal),
      Benchmark(setOther, against: setPublic, goal: .ratio(0.5)),
    ]
  }

  private static var getInternal: Subject {
    Subject("get, plain, own module") { _ in
      let object = OwnStored()
      return { passes in
        for _ in 0..<passes { measuringSink(getCount(object)) }
      }
    }
  }

  private static var getPublic: Subject {
    Subject("get, plain, other module") { _ in
      let object = Stored()
      return { passes in
        for _ in 0..<passes { measuringSink(getCount(object)) }
      }
    }
  }

  static var getOwn: Subject {
    Subject("get, unobserved, own module") { _ in
      let object = OwnModel()
      return { passes in
        for _ in 0..<passes { measuringSink(getCount(object)) }
      }
    }
  }

  static var getOther: Subject {
    Subject("get, unobserved, other module") { _ in
      let object = Model()
      return { passes in
        for _ in 0..<passes { measuringSink(getCount(object)) }
      }
    }
  }

  static var setInternal: Subject {
    Subject("set, plain, own module") { _ in
      let object = OwnStored()
      return { passes in
        for value in 0..<passes { setCount(object, value) }
        measuringSink(object.count)
      }
    }
  }

  static var setPublic: Subject {
    Subject("set, plain, other module") { _ in
      let object = Stored()
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }

  static var setOwn: Subject {
    Subject("set, unobserved, own module") { _ in
      let object = OwnModel()
      return { passes in
        for value in 0..<passes { setCount(object, value) }
        measuringSink(object.count)
      }
    }
  }

  static var setOther: Subject {
    Subject("set, unobserved, other module") { _ in
      let object = Model()
      return { passes in
        for value in 0..<passes { setCount(object, value) }
      }
    }
  }
}
