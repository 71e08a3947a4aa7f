import Foundation
import KeyValueObservingFoundation
import Testing

@Suite("Registration, removal and context of a classic observer")
struct ClassicRegistrationTests {
  private let article = Article()
  private let screen = Screen()

  /// Two different addresses, as contexts.
  private let one = UnsafeMutableRawPointer(bitPattern: 0x10)
  private let two = UnsafeMutableRawPointer(bitPattern: 0x20)

  private func received(afterSetting title: String) -> [UnsafeMutableRawPointer?] {
    article.title = title
    defer { _ = screen.take() }
    return screen.contexts
  }

  @Test("P4: an observer that is added twice is called twice, until removed twice")
  func twice() {
    article.addObserver(screen, forKeyPath: "title", context: nil)
    article.addObserver(screen, forKeyPath: "title", context: nil)
    #expect(received(afterSetting: "b").count == 2)
    article.removeObserver(screen, forKeyPath: "title", context: nil)
    #expect(received(afterSetting: "c").count == 1)
    article.removeObserver(screen, forKeyPath: "title", context: nil)
    #expect(received(afterSetting: "d").isEmpty)
  }

  @Test("Of registrations with equal contexts the oldest is removed, and its options go")
  func oldestFirst() {
    article.addObserver(screen, forKeyPath: "title", options: .new, context: nil)
    article.addObserver(screen, forKeyPath: "title", options: .old, context: nil)
    article.removeObserver(screen, forKeyPath: "title", context: nil)
    article.title = "b"
    #expect(screen.take() == ["title: kind 1, old a"])
  }

  @Test("A context is passed back, and identifies the registration to remove")
  func contexts() {
    article.addObserver(screen, forKeyPath: "title", context: one)
    article.addObserver(screen, forKeyPath: "title", context: two)
    #expect(received(afterSetting: "b") == [one, two])
    article.removeObserver(screen, forKeyPath: "title", context: two)
    #expect(received(afterSetting: "c") == [one])
    article.addObserver(screen, forKeyPath: "title", context: two)
    article.removeObserver(screen, forKeyPath: "title", context: one)
    #expect(received(afterSetting: "d") == [two])
  }

  @Test("Without a context the oldest registration is removed, whatever its context")
  func withoutContext() {
    article.addObserver(screen, forKeyPath: "title", context: one)
    article.addObserver(screen, forKeyPath: "title", context: two)
    article.removeObserver(screen, forKeyPath: "title")
    #expect(received(afterSetting: "b") == [two])
  }

  @Test("The context nil is a context like any other")
  func nilContext() {
    article.addObserver(screen, forKeyPath: "title", context: one)
    article.addObserver(screen, forKeyPath: "title", context: nil)
    article.removeObserver(screen, forKeyPath: "title", context: nil)
    #expect(received(afterSetting: "b") == [one])
  }

  @Test("An object may observe itself")
  func selfObserver() {
    let gauge = Gauge()
    gauge.addObserver(gauge, forKeyPath: "level", options: .new, context: nil)
    gauge.level = 1
    #expect(gauge.received == 1)
    gauge.removeObserver(gauge, forKeyPath: "level")
    gauge.level = 2
    #expect(gauge.received == 1)
  }

  @Test("Removing one observer leaves the others, and it receives nothing more")
  func others() {
    let other = Screen()
    article.addObserver(screen, forKeyPath: "title", context: nil)
    article.addObserver(other, forKeyPath: "title", context: nil)
    article.removeObserver(screen, forKeyPath: "title")
    article.title = "b"
    #expect(screen.take() == [])
    #expect(other.take() == ["title: kind 1"])
  }

  @Test("P10: observers are called in the order in which they were added")
  func order() {
    var order: [Int] = []
    let screens = (0..<4).map { place in
      let screen = Screen()
      screen.react = { order.append(place) }
      return screen
    }
    for screen in screens { article.addObserver(screen, forKeyPath: "title", context: nil) }
    article.title = "b"
    #expect(order == [0, 1, 2, 3])
    withExtendedLifetime(screens) {}
  }

  @Test("A path is removed by the text that it was added with, and is silent in every link then")
  func paths() {
    article.author = Author("n")
    article.addObserver(screen, forKeyPath: "author.name", options: .new, context: nil)
    article.author?.name = "m"
    article.author = Author("l")
    #expect(screen.take() == ["author.name: kind 1, new m", "author.name: kind 1, new l"])
    article.removeObserver(screen, forKeyPath: "author.name")
    article.author?.name = "k"
    article.author = nil
    #expect(screen.take() == [])
  }

  @Test("A subclass of NSObject may be observed, as it would be with Cocoa")
  func foundationSubject() {
    let player = Player()
    player.addObserver(screen, forKeyPath: "rate", options: [.new, .old], context: nil)
    player.rate = 1
    player.removeObserver(screen, forKeyPath: "rate", context: nil)
    player.rate = 2
    #expect(screen.take() == ["rate: kind 1, new 1.0, old 0.0"])
  }

  @Test("An observer may be a subclass of NSObject, and may be known as a protocol only")
  func foundationObject() {
    let controller = Controller()
    let observer: any NSKeyValueObserving = controller
    let subject: any KeyValueObservable = article
    subject.addObserver(observer, forKeyPath: "title", options: [.new], context: nil)
    article.title = "b"
    #expect(controller.titles == ["b"])
    subject.removeObserver(observer, forKeyPath: "title")
    article.title = "c"
    #expect(controller.titles == ["b"])
  }

  @Test("Any key of a dictionary may be observed")
  func dictionaries() {
    let dictionary = KeyValueDictionary(["a": 1])
    dictionary.addObserver(screen, forKeyPath: "b.c", options: [.new, .old], context: nil)
    dictionary["b"] = ["c": 2]
    #expect(screen.take() == ["b.c: kind 1, new 2, old null"])
  }
}

@KeyValueObservable
private final class Gauge: NSKeyValueObserving {
  var level = 0
  @KeyValueIgnored var received = 0

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    received += 1
  }
}

@KeyValueObservable
private final class Player: NSObject {
  var rate = 0.0
}

private final class Controller: NSObject, NSKeyValueObserving {
  var titles: [String] = []

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    if keyPath == "title", let title = change?[.newKey] as? String { titles.append(title) }
  }
}
