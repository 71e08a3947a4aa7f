// How observations end.
extension KeyValueConformanceCheck {
  static let ending = Self("P31", "ending twice, inside a callback, is the end") { trial in
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
    trial.expect("two sets, in the first of which it ended", [.init("", voidChange)])
  }

  static let dropping = Self(
    "P32", "dropping what keeps an observation ends it and releases the closure"
  ) { trial in
    let object = try trial.make()
    var captured: Captured? = Captured()
    weak let witness = captured
    var end: (() -> Void)? = try trial.observe(object, nil, []) { [captured] _ in _ = captured }
    captured = nil
    trial.expect(witness != nil, "The closure was released while it was observing.")
    extendLifetime(end)
    end = nil
    trial.expect(witness == nil, "The closure was kept after its observation had been dropped.")
    try trial.set(trial.second, of: object)
    trial.expect("a set after the end", [])
  }

  static let death = Self(
    "P33", "an observation keeps no object alive, and ends with it, harmlessly"
  ) { trial in
    var object: (any KeyValueObservable)? = try trial.make()
    weak let witness: (any KeyValueObservable)? = object
    var end: (() -> Void)? = {}
    if let object { end = try trial.observe(object) }
    object = nil
    trial.expect(witness == nil, "The object outlives its last owner, while it is observed.")
    trial.expect(
      "the death of the object",
      trial.source.surface.tellsOfDeath
        ? [.init("", KeyValueChange<Any>.setting(reason: .sourceDeleted))] : [])
    end?()
    end = nil
    trial.expect("the end after that", [])
  }

  private static var voidChange: KeyValueChange<Any> { .setting() }

  private final class Captured {}
}
