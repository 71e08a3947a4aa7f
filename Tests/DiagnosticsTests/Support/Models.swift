import KeyValueObservingFoundation

@KeyValueObservable
final class Author {
  var name = "Ada"
  var age: Int8 = 36
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

/// Cannot be observed.
final class Agent {
  let name = "Bob"
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

/// Is not annotated, so what it adds is not seen.
final class Study: Room {
  var desk = ""
}

@KeyValueObservable
final class Shelf {
  var books: [Author] = []
  var numbers: [Int8] = []
  var anything: Any?
  var first: Author?
  var sizes: [String: Int]?
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
