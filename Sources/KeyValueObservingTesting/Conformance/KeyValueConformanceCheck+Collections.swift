internal import KeyValueObservingCore

// Objects of the class in a collection, and in a weak property, that a transaction changes.
extension KeyValueConformanceCheck {
  static let editedCollection = Self(
    "P49", "an object that a transaction inserts in a collection and removes again is in no change"
  ) { trial in
    let shelf = Shelf()
    let (one, other) = (try trial.make(), try trial.make())
    shelf.objects = [one]
    let end = try trial.observe(shelf, "objects.\(trial.source.key)")
    let objects = shelf.mutableArrayValue(for: \.objects)
    try withKeyValueTransaction {
      objects.insert(other, at: 0)
      try trial.set(trial.third, of: other)
      objects.remove(at: 0)
    }
    trial.expect("an object that was inserted, set and removed", [])
    try withKeyValueTransaction {
      try trial.set(trial.second, of: one)
      objects.append(other)
    }
    end()
    trial.expect(
      "a transaction that sets one object and appends another",
      [
        .init(
          "", .setting(from: [trial.first] as [Any?], to: [trial.second, trial.third] as [Any?]))
      ])
  }

  static let lostObject = Self(
    "P51", "an object of a weak property that is gone is reported, and delivered after a rollback"
  ) { trial in
    let shelf = Shelf()
    var object: (any KeyValueObservable)? = try trial.make()
    shelf.recent = object
    let end = try trial.observe(shelf, "recent", .new)
    let log = DiagnosticLog()
    try KeyValueDiagnostics.withHandler(log.handler) {
      try trial.refused {
        object = nil
        trial.expect(shelf.recent == nil, "The object is retained by an observation.")
        trial.expect("before the end of a transaction", [])
      }
    }
    end()
    extendLifetime(object)
    trial.expect(
      "after the rollback", [.init("", KeyValueChange<Any?>.setting(to: nil))])
    trial.expect(log.failure != nil, "The value that is lost was not reported.")
  }

  /// Holds objects of any kind.
  private final class Shelf: KeyValueObservable {
    let keyValueRegistrar = KeyValueRegistrar()
    private var storedObjects: [any KeyValueObservable] = []
    private weak var storedRecent: (any KeyValueObservable)?

    static func keyValueProperties() -> [KeyValueProperty] {
      [.stored("objects", \Shelf.objects), .weak("recent", \Shelf.recent)]
    }

    var objects: [any KeyValueObservable] {
      get {
        keyValueRegistrar.access("objects", of: self)
        return storedObjects
      }
      set {
        keyValueRegistrar.set(
          "objects", of: self, to: newValue, read: { storedObjects }, write: { storedObjects = $0 })
      }
    }

    var recent: (any KeyValueObservable)? {
      get {
        keyValueRegistrar.access("recent", of: self, target: storedRecent)
        return storedRecent
      }
      set {
        keyValueRegistrar.setWeak(
          "recent", of: self, to: newValue, read: { storedRecent }, write: { storedRecent = $0 })
      }
    }
  }
}
