import KeyValueObserving
import Testing

private protocol Titled: AnyObject {
  var title: String { get }
}

@KeyValueObservable
private class Sitter: Titled {
  var title = ""

  init(_ title: String) { self.title = title }
}

private final class Painter: Sitter {}

/// Properties that hold an object, in all the ways in which one can be spelled.
@KeyValueObservable
private final class Desk {
  var owner = Sitter("owner")
  var guest: Sitter?
  weak var visitor: Sitter?
  unowned var host: Sitter
  var twice: Sitter??
  var anything: AnyObject?
  var titled: (any Titled)?
  weak var titledWeakly: (any Titled)?

  init(host: Sitter) { self.host = host }
}

extension AllTests {
  @Suite("Properties that hold an object")
  struct ObjectPropertyTests {
    private let painter = Painter("painter")
    private let desk: Desk

    init() {
      desk = Desk(host: painter)
    }

    @Test(
      "Whatever the type that it is spelled with, a value is the object, of its own class",
      arguments: [
        "owner", "host", "guest", "visitor", "twice", "anything", "titled",
        "titledWeakly",
      ])
    func value(key: String) throws {
      desk.owner = painter
      desk.guest = painter
      desk.visitor = painter
      desk.twice = painter
      desk.anything = painter
      desk.titled = painter
      desk.titledWeakly = painter
      let value = try #require(try desk.value(forKey: key))
      #expect(value as? Sitter === painter)
      #expect(value as? Painter === painter)
      #expect(type(of: value) == Painter.self)
      #expect((value as? any Titled)?.title == "painter")
      #expect(try desk.value(forKeyPath: key) as? Sitter === painter)
    }

    @Test(
      "Where there is no object, a value is nil and not a nil in something",
      arguments: ["guest", "visitor", "twice", "anything", "titled", "titledWeakly"])
    func noValue(key: String) throws {
      let value = try desk.value(forKey: key)
      #expect(value == nil)
      desk.anything = (nil as Int?) as AnyObject
      desk.twice = .some(nil)
      let other = try desk.value(forKey: key)
      #expect(other == nil)
    }

    @Test("An observer receives the object, through a key and through the objects of a path")
    func observing() throws {
      var received: [String] = []
      func receive(_ sitter: Any?) { received.append((sitter as? Sitter)?.title ?? "nobody") }
      let shelf = Shelf()
      let tokens = [
        shelf.observe(\.desk?.owner, options: [.old, .new]) { _, change in
          receive(change.oldValue ?? nil)
          receive(change.newValue ?? nil)
        },
        shelf.observe(\.desk?.guest, options: [.old, .new]) { _, change in
          receive(change.oldValue ?? nil)
          receive(change.newValue ?? nil)
        },
        try shelf.observe("desk.owner", options: [.old, .new]) { _, change in
          receive(change.oldValue ?? nil)
          receive(change.newValue ?? nil)
        },
      ]
      defer { tokens.forEach { $0.invalidate() } }
      shelf.desk = desk
      #expect(received == ["nobody", "owner", "nobody", "nobody", "nobody", "owner"])
      received = []
      desk.guest = painter
      #expect(received == ["nobody", "painter"])
      received = []
      shelf.desk = nil
      #expect(received == ["owner", "nobody", "painter", "nobody", "owner", "nobody"])
    }
  }
}

@KeyValueObservable
private final class Shelf {
  var desk: Desk?
}
