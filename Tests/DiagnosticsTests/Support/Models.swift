import KeyValueObservingFoundation

@KeyValueObservable
final class Author {
  var name = "Ada"
  var age: Int8 = 36
  var pages = [1, 2, 3]
  var editor: Author?
  weak var agent: Agent?
  weak var guest: AnyObject?
  weak var friend: Author?
  private(set) var id = 1
  @KeyValueIgnored var draft = ""
  @KeyValueIgnored var books = 0

  @KeyValueDependent(on: "nmae")
  var signature: String { "\(books)" }

  @KeyValueDependent(on: "editor.name.count")
  var initials: String { "\(books)" }
}

extension Author {
  var summary: String { draft }
}

/// Has a getter that does not call `access(_:of:)`.
@KeyValueObservable
final class Job {
  @KeyValueIgnored private var stored = 0
  var state: Int {
    get { stored }
    set { withMutation(of: \.state) { stored = newValue } }
  }
  var isDone: Bool { state == 2 }
}

/// Cannot be observed.
final class Agent {
  let name = "Bob"
}

@KeyValueObservable
final class Agency {
  var agent: Agent?
}

@KeyValueObservable
final class Place {
  let number = 1
}

@KeyValueObservable
class Room {
  let place = Place()
  var name = ""
}

@KeyValueObservable
final class Lodger {
  unowned var room: Room

  init(in room: Room) { self.room = room }
}

/// Is not annotated, so that its own properties are not observable.
final class Study: Room {
  var desk = ""
}

@KeyValueObservable
final class Attic: Room {
  @KeyValueIgnored var dust = 0
}

@KeyValueObservable
final class Shelf {
  var books: [Author] = []
  var numbers: [Int8] = []
  var anything: Any?
  var first: Author?
  var sizes: [String: Int]?
}

/// A class without the macro, whose accessors were copied without changing the key.
final class Poster: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  private(set) var title = ""
  private var storedWidth = 0
  private weak var storedPlace: Room?
  private var storedLines: [String] = []

  class func keyValueProperties() -> [KeyValueProperty] { [.stored("title", \Poster.title)] }

  var width: Int {
    get { storedWidth }
    set {
      keyValueRegistrar.set(
        "title", of: self, to: newValue, read: { storedWidth }, write: { storedWidth = $0 })
    }
  }

  var place: Room? {
    get { storedPlace }
    set {
      keyValueRegistrar.setWeak(
        "title", of: self, to: newValue, read: { storedPlace }, write: { storedPlace = $0 })
    }
  }

  var lines: [String] {
    get { storedLines }
    _modify {
      let modification = keyValueRegistrar.willModify("title", of: self, read: { storedLines })
      defer { keyValueRegistrar.didModify(modification, of: self, read: { storedLines }) }
      yield &storedLines
    }
  }
}

enum Mode: Int {
  case silent, loud
}

final class Reader: NSKeyValueObserving {
  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {}
}

/// An object with dynamic keys.
final class Meter: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()

  static func keyValueProperties() -> [KeyValueProperty] { [] }
  static var hasDynamicKeys: Bool { true }
  var dynamicKeys: [String] { ["level", "names", "pin"] }

  func keyValueProperty(forKey key: String) -> KeyValueProperty? {
    switch key {
    case "level":
      .entry(
        key, of: Meter.self, valueType: Int.self, get: { _ in 0 },
        set: { _, value throws(KeyValueCodingError) in
          throw .invalidValue(
            type: Meter.self, key: "level", value: "\(value ?? "nil")",
            reason: .outOfRange(minimum: "0", maximum: "10"))
        })
    case "names":
      .entry(
        key, of: Meter.self, valueType: [String].self, get: { _ in ["a"] },
        set: { _, _ throws(KeyValueCodingError) in throw .readOnly(type: Meter.self, key: "names") }
      )
    case "pin": .entry(key, of: Meter.self, valueType: Int.self, get: nil, set: { _, _ in })
    default: nil
    }
  }
}

/// Is written by hand, and has no setter.
final class Bell: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  private var storedRings = 0

  var rings: Int {
    keyValueRegistrar.access("rings", of: self)
    return storedRings
  }

  func ring() {
    keyValueRegistrar.set(
      "rings", of: self, to: storedRings + 1, read: { storedRings }, write: { storedRings = $0 })
  }

  static func keyValueProperties() -> [KeyValueProperty] {
    [.stored("rings", \Bell.rings, chained: \Bell?.?.rings)]
  }
}

/// Each side sets the other to something else.
@KeyValueObservable
final class Duel {
  var one = 0 {
    didSet { answer() }
  }
  var other = 0

  private func answer() { other = one + 1 }
}

@KeyValueObservable
final class Turnstile {
  var count = 0
  var turned: Int {
    if count.isMultiple(of: 2) { count += 1 }
    return count
  }
}
