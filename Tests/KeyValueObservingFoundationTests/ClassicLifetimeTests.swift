import KeyValueObservingFoundation
import Testing

@testable import KeyValueObservingCore

@Suite("Lifetime of classic observers and what they observe")
struct ClassicLifetimeTests {
  @Test("P5: neither the object nor the observer is retained")
  func retainsNothing() {
    var article: Article? = Article()
    var screen: Screen? = Screen()
    weak let weakArticle = article
    weak let weakScreen = screen
    article!.addObserver(screen!, forKeyPath: "title", options: .initial, context: nil)
    article!.addObserver(screen!, forKeyPath: "author.name", context: nil)
    screen = nil
    #expect(weakScreen == nil)
    article = nil
    #expect(weakArticle == nil)
  }

  @Test("P34: a deallocated observer is skipped, and its registration ends with it")
  func deadObserver() {
    let article = Article()
    let other = Screen()
    var screen: Screen? = Screen()
    article.addObserver(screen!, forKeyPath: "title", options: .new, context: nil)
    article.addObserver(screen!, forKeyPath: "title", options: .new, context: nil)
    article.addObserver(other, forKeyPath: "title", options: .new, context: nil)
    screen = nil
    article.title = "b"
    #expect(other.take() == ["title: kind 1, new b"])
    article.removeObserver(other, forKeyPath: "title")
    #expect(!article.observationContext.isObjectObserved)
  }

  @Test("Observers that go without a word do not pile up on an object that never changes")
  func deadObserversOfSilence() {
    let article = Article()
    for _ in 0..<1000 { article.addObserver(Screen(), forKeyPath: "title", context: nil) }
    let survivor = Screen()
    article.addObserver(survivor, forKeyPath: "title", context: nil)
    #expect(article.observerCount(ofKey: "title") <= 34)
    article.title = "b"
    #expect(survivor.take() == ["title: kind 1"])
  }

  @Test("P33: deallocation of the object ends its registrations without a notification")
  func deadSubject() {
    var article: Article? = Article()
    article!.author = Author("n")
    let author = article!.author!
    let screen = Screen()
    for keyPath in ["title", "author.name"] {
      article!.addObserver(screen, forKeyPath: keyPath, options: [.new, .prior], context: nil)
    }
    article = nil
    author.name = "m"
    #expect(screen.take() == [])
    #expect(!author.observationContext.isObjectObserved)
  }

  @Test("A new object does not inherit the observers of one that had its address")
  func reusedAddress() {
    let screen = Screen()
    for round in 0..<100 {
      let article = Article()
      article.title = "b"
      article.addObserver(screen, forKeyPath: "title", context: nil)
      article.title = "c"
      #expect(screen.take().count == 1, "in round \(round)")
    }
  }

  @Test("An observer may remove itself in its deinit, and ends nothing but its own")
  func removedInDeinit() {
    let article = Article()
    let other = Screen()
    article.addObserver(other, forKeyPath: "title", context: nil)
    for _ in 0..<10 {
      let screen = Screen { article.removeObserver($0, forKeyPath: "title") }
      article.addObserver(screen, forKeyPath: "title", context: nil)
    }
    #expect(article.observerCount(ofKey: "title") == 1)
    article.title = "b"
    #expect(other.take() == ["title: kind 1"])
  }

  @Test("An object that observes itself may remove itself in its deinit")
  func selfObserver() {
    var isOver = false
    var thermostat: Thermostat? = Thermostat { isOver = true }
    weak let weakThermostat = thermostat
    thermostat!.addObserver(thermostat!, forKeyPath: "target", context: nil)
    thermostat!.target = 20
    #expect(thermostat!.received == 1)
    thermostat = nil
    #expect(isOver)
    #expect(weakThermostat == nil)
  }

  @Test("P32: nothing of a registration is left behind, however it ends")
  func liveCounts() {
    var article: Article? = Article()
    let removed = Screen()
    let kept = Screen()
    weak var table: AnyObject?
    weak var registrations: AnyObject?
    for keyPath in ["title", "author.name"] {
      article!.addObserver(removed, forKeyPath: keyPath, options: .prior, context: nil)
      article!.addObserver(kept, forKeyPath: keyPath, options: .prior, context: nil)
      article!.removeObserver(removed, forKeyPath: keyPath)
    }
    table = article!.associatedObject
    registrations = article!.observationContext
    #expect(table != nil && registrations != nil)
    article = nil
    #expect(table == nil && registrations == nil)
    _ = kept
  }

  @Test("P14, P34: a callback may drop the last references to the object and to the observer")
  func droppedInside() {
    final class Holder {
      var article: Article? = Article()
      var screen: Screen? = Screen()
    }
    let holder = Holder()
    weak let weakScreen = holder.screen
    var received = 0
    holder.screen?.react = {
      received += 1
      holder.screen = nil
      holder.article = nil
    }
    holder.article!.addObserver(holder.screen!, forKeyPath: "title", context: nil)
    holder.article!.title = "b"
    #expect(received == 1)
    #expect(weakScreen == nil)
  }
}

extension KeyValueObservable {
  fileprivate func observerCount(ofKey key: StaticString) -> Int {
    let context = observationContext
    guard let observedKey = context.observedKey(named: KeyName(key))?.takeUnretainedValue() else {
      return 0
    }
    return context.lock.withLock { Int(observedKey.state.observers.live) }
  }
}

@KeyValueObservable
private final class Thermostat: NSKeyValueObserving {
  var target = 0
  @KeyValueIgnored var received = 0
  private let onDeallocation: () -> Void

  init(_ onDeallocation: @escaping () -> Void) {
    self.onDeallocation = onDeallocation
  }

  deinit {
    removeObserver(self, forKeyPath: "target")
    onDeallocation()
  }

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    received += 1
  }
}
