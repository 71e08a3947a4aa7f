import KeyValueObserving
import KeyValueObservingTesting

extension KeyValueConformanceSurface {
  /// A surface with a mistake.
  static func broken(by mistake: String) -> Self {
    let correct = KeyValueConformanceSurface.closure
    let crowd = Crowd()
    return Self { object, keyPath, options, handler in
      switch mistake {
      case "forgets initial":
        return try correct.observing(object, keyPath, options.subtracting(.initial), handler)
      case "ends all":
        crowd.ends.append(try correct.observing(object, keyPath, options, handler))
        return { crowd.endAll() }
      case "accepts anything":
        return (try? correct.observing(object, keyPath, options, handler)) ?? {}
      case "last first":
        crowd.handlers.insert(handler, at: 0)
        guard crowd.handlers.count == 1 else { return {} }
        return try correct.observing(object, keyPath, options) { change in
          for handler in crowd.handlers { handler(change) }
        }
      case "receives late":
        crowd.handlers.append(handler)
        guard crowd.handlers.count == 1 else { return {} }
        return try correct.observing(object, keyPath, options) { change in
          var next = 0
          while next < crowd.handlers.count {
            crowd.handlers[next](change)
            next += 1
          }
        }
      case "needs a callback to end":
        let end = try correct.observing(object, keyPath, options, handler)
        return { crowd.ends.append(end) }
      case "keeps its closures":
        crowd.handlers.append(handler)
        return try correct.observing(object, keyPath, options, handler)
      default:
        let end = try correct.observing(object, keyPath, options, handler)
        return { withExtendedLifetime(object, end) }
      }
    }
  }

  private func observing(
    _ object: any KeyValueObservable, _ keyPath: String, _ options: KeyValueObservation.Options,
    _ handler: @escaping (KeyValueChange<Any?>) -> Void
  ) throws -> () -> Void {
    func observe(_ object: some KeyValueObservable) throws -> () -> Void {
      let token = try object.observe(keyPath, options: options) { _, change in handler(change) }
      return { token.invalidate() }
    }
    return try observe(object)
  }

  private final class Crowd {
    var handlers: [(KeyValueChange<Any?>) -> Void] = []
    var ends: [() -> Void] = []

    func endAll() {
      for end in ends { end() }
      ends = []
    }
  }
}
