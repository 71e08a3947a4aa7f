import Foundation
import KeyValueObservingFoundation
import Testing

@Suite("Options and contents of the change of a classic observer")
struct ClassicOptionsTests {
  /// A row of the table of options: the entries of each change.
  struct Row: CustomTestStringConvertible {
    let options: NSKeyValueObservingOptions
    let changes: [String]

    init(_ options: NSKeyValueObservingOptions, _ changes: String...) {
      self.options = options
      self.changes = changes
    }

    var testDescription: String { "options \(options.rawValue)" }
  }

  static let table = [
    Row([], "kind 1"),
    Row([.new], "kind 1, new b"),
    Row([.old], "kind 1, old a"),
    Row([.new, .old], "kind 1, new b, old a"),
    Row([.initial], "kind 1", "kind 1"),
    Row([.initial, .new], "kind 1, new a", "kind 1, new b"),
    Row([.initial, .old], "kind 1", "kind 1, old a"),
    Row([.initial, .new, .old], "kind 1, new a", "kind 1, new b, old a"),
    Row([.prior], "kind 1, isPrior true", "kind 1"),
    Row([.prior, .new], "kind 1, isPrior true", "kind 1, new b"),
    Row([.prior, .old], "kind 1, isPrior true, old a", "kind 1, old a"),
    Row([.prior, .new, .old], "kind 1, isPrior true, old a", "kind 1, new b, old a"),
    Row([.initial, .prior], "kind 1", "kind 1, isPrior true", "kind 1"),
    Row([.initial, .prior, .new], "kind 1, new a", "kind 1, isPrior true", "kind 1, new b"),
    Row([.initial, .prior, .old], "kind 1", "kind 1, isPrior true, old a", "kind 1, old a"),
    Row(
      [.initial, .prior, .new, .old], "kind 1, new a", "kind 1, isPrior true, old a",
      "kind 1, new b, old a"),
  ]

  @Test(
    "P2: each change has the entries of the table and no others", arguments: table)
  func entries(row: Row) {
    let article = Article()
    let screen = Screen()
    article.addObserver(screen, forKeyPath: "title", options: row.options, context: nil)
    article.title = "b"
    #expect(screen.take() == row.changes.map { "title: " + $0 })
  }

  @Test("The table is the same at the end of a path", arguments: table)
  func entriesOfPaths(row: Row) {
    let article = Article()
    article.author = Author("a")
    let screen = Screen()
    article.addObserver(screen, forKeyPath: "author.name", options: row.options, context: nil)
    article.author?.name = "b"
    article.removeObserver(screen, forKeyPath: "author.name")
    #expect(screen.take() == row.changes.map { "author.name: " + $0 })
  }

  @Test("What was asked for and is nil is present, as NSNull")
  func nilIsNull() {
    let article = Article()
    let screen = Screen()
    article.addObserver(
      screen, forKeyPath: "subtitle", options: [.initial, .new, .old], context: nil)
    article.subtitle = "s"
    article.subtitle = nil
    article.addObserver(
      screen, forKeyPath: "author.name", options: [.initial, .new, .old], context: nil)
    article.author = Author("n")
    #expect(
      screen.take() == [
        "subtitle: kind 1, new null", "subtitle: kind 1, new s, old null",
        "subtitle: kind 1, new null, old s", "author.name: kind 1, new null",
        "author.name: kind 1, new n, old null",
      ])
  }

  @Test("The property has its old value in a prior, and its new one after it")
  func livePriors() {
    let article = Article()
    let screen = Screen()
    var seen: [String] = []
    screen.react = { seen.append(article.title) }
    article.addObserver(screen, forKeyPath: "title", options: .prior, context: nil)
    article.title = "b"
    #expect(seen == ["a", "b"])
  }

  @Test("A value that is assigned again is delivered")
  func sameValue() {
    let article = Article()
    let screen = Screen()
    article.addObserver(screen, forKeyPath: "title", options: [.new, .old], context: nil)
    article.title = "a"
    #expect(screen.take() == ["title: kind 1, new a, old a"])
  }

  @Test("A number arrives as what it is, and is never null")
  func numbers() {
    let article = Article()
    let listener = Listener()
    article.addObserver(listener, forKeyPath: "count", options: [.new, .initial], context: nil)
    #expect(listener.changes.last?[.newKey] as? Int == 0)
    article.count = 3
    #expect(listener.changes.last?[.newKey] as? Int == 3)
    #expect(listener.changes.last?[.newKey] as? NSNumber == 3)
    #expect(listener.changes.last?[.newKey] as? Double == nil)
    #expect(listener.changes.last?[.kindKey] as? NSNumber == 1)
  }

  @Test("Changes are values of each observer's own, whatever it does with them")
  func ownChanges() {
    let article = Article()
    let first = Listener()
    let second = Listener()
    first.alters = true
    article.addObserver(first, forKeyPath: "title", options: [.new], context: nil)
    article.addObserver(second, forKeyPath: "title", options: [.old], context: nil)
    article.title = "b"
    article.title = "c"
    #expect(second.changes.map(describe) == ["kind 1, old a", "kind 1, old b"])
    #expect(first.changes.map(describe) == ["kind 1, new x", "kind 1, new x"])
  }

  @Test("Object, key path and context are those of the registration in every change")
  func sameEverywhere() {
    let article = Article()
    article.author = Author("a")
    let screen = Screen()
    var tag = 0
    withUnsafeMutablePointer(to: &tag) { pointer in
      let context = UnsafeMutableRawPointer(pointer)
      article.addObserver(
        screen, forKeyPath: "self.author.name", options: [.initial, .prior], context: context)
      article.author?.name = "b"
      #expect(screen.contexts == [context, context, context])
      #expect(screen.objects == Array(repeating: ObjectIdentifier(article), count: 3))
      #expect(screen.take().allSatisfy { $0.hasPrefix("self.author.name: ") })
    }
  }
}

/// A classic observer that keeps the changes themselves.
private final class Listener: NSKeyValueObserving {
  var changes: [[NSKeyValueChangeKey: Any]] = []
  var alters = false

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard var change else { return }
    if alters { change[.newKey] = "x" }
    changes.append(change)
  }
}
