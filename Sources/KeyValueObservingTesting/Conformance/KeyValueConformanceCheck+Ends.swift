// How observations end.
extension KeyValueConformanceCheck {
  static let ending = Self(
    "P31", "ending an observation twice, inside its handler, ends it"
  ) { trial in
    let object = try trial.make()
    var end: (() -> Void)?
    end = try trial.observe(object, nil, []) { _ in
      end?()
      end?()
    }
    try trial.set(trial.second, of: object)
    try trial.set(trial.third, of: object)
    end?()
    end = nil
    trial.expect("two sets, the first of which ended the observation", [.init("", voidChange)])
  }

  static let releasing = Self(
    "P32", "releasing the token ends the observation and releases the handler"
  ) { trial in
    let object = try trial.make()
    var captured: Captured? = Captured()
    weak let witness = captured
    var end: (() -> Void)? = try trial.observe(object, nil, []) { [captured] _ in _ = captured }
    captured = nil
    trial.expect(witness != nil, "The handler was released during the observation.")
    extendLifetime(end)
    end = nil
    trial.expect(witness == nil, "The handler was retained after the token had been released.")
    try trial.set(trial.second, of: object)
    trial.expect("a set after the end", [])
  }

  static let deallocation = Self(
    "P33", "an observation does not retain its object, and ends when it is deallocated"
  ) { trial in
    var object: (any KeyValueObservable)? = try trial.make()
    weak let witness: (any KeyValueObservable)? = object
    var end: (() -> Void)? = {}
    if let object { end = try trial.observe(object) }
    object = nil
    trial.expect(witness == nil, "The object is retained by its observation.")
    trial.expect(
      "the deallocation of the object",
      trial.source.surface.reportsDeallocation
        ? [.init("", KeyValueChange<Any>.setting(reason: .sourceDeleted))] : [])
    end?()
    end = nil
    trial.expect("the end after that", [])
  }

  private static var voidChange: KeyValueChange<Any> { .setting() }

  private final class Captured {}
}
