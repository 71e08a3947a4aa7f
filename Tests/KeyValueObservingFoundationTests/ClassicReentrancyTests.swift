import KeyValueObservingFoundation
import Testing

@Suite("Classic observers that come and go inside callbacks")
struct ClassicReentrancyTests {
  private let article = Article()
  private let first = Screen()
  private let second = Screen()

  private func add(_ screens: Screen..., options: NSKeyValueObservingOptions = .new) {
    for screen in screens {
      article.addObserver(screen, forKeyPath: "title", options: options, context: nil)
    }
  }

  private func remove(_ screen: Screen) {
    article.removeObserver(screen, forKeyPath: "title", context: nil)
  }

  @Test("P1: an observer may remove itself inside its initial change")
  func removedInInitial() {
    first.react = { remove(first) }
    add(first, options: [.initial, .new])
    #expect(first.take() == ["title: kind 1, new a"])
    article.title = "b"
    #expect(first.take() == [])
    first.react = nil
  }

  @Test("P31: removed inside its initial change, an observer does not receive later sets")
  func silentInInitial() {
    first.react = {
      first.react = nil
      remove(first)
      article.title = "b"
    }
    add(first, options: [.initial, .new])
    #expect(first.take() == ["title: kind 1, new a"])
  }

  @Test("P1: a change that is made inside the initial change is delivered, after it")
  func setInInitial() {
    first.react = {
      first.react = nil
      article.title = "b"
    }
    add(first, options: [.initial, .new])
    #expect(first.take() == ["title: kind 1, new a", "title: kind 1, new b"])
  }

  @Test("Another may be added inside an initial change")
  func addedInInitial() {
    first.react = {
      first.react = nil
      add(second, options: [.initial, .new])
    }
    add(first, options: [.initial, .new])
    article.title = "b"
    #expect(first.take() == ["title: kind 1, new a", "title: kind 1, new b"])
    #expect(second.take() == ["title: kind 1, new a", "title: kind 1, new b"])
  }

  @Test("One that removes itself leaves the others their change")
  func removesItself() {
    first.react = { remove(first) }
    add(first, second)
    article.title = "b"
    first.react = nil
    article.title = "c"
    #expect(first.take() == ["title: kind 1, new b"])
    #expect(second.take() == ["title: kind 1, new b", "title: kind 1, new c"])
  }

  @Test("P13, P31: one that another removes before its turn is not called")
  func removesNext() {
    first.react = { remove(second) }
    add(first, second)
    article.title = "b"
    #expect(second.take() == [])
    first.react = nil
  }

  @Test("P13: an observer added inside a callback does not receive that change")
  func addsAnother() {
    first.react = {
      first.react = nil
      add(second)
    }
    add(first)
    article.title = "b"
    article.title = "c"
    #expect(second.take() == ["title: kind 1, new c"])
  }

  @Test("Removed in a prior notification, by any observer, one does not receive the change")
  func removedInPrior() {
    first.react = {
      first.react = nil
      remove(first)
      remove(second)
    }
    add(first, second, options: [.prior, .new])
    article.title = "b"
    #expect(first.take() == ["title: kind 1, isPrior true"])
    #expect(second.take() == [])
  }

  @Test("P11: a set inside a callback is delivered to all, after the change under way")
  func nestedSet() {
    first.react = {
      first.react = nil
      article.title = "c"
    }
    add(first, second)
    article.title = "b"
    #expect(first.take() == ["title: kind 1, new b", "title: kind 1, new c"])
    #expect(second.take() == ["title: kind 1, new b", "title: kind 1, new c"])
  }

  @Test("Removed and added again with another context, one receives the next change with that")
  func replacesItself() {
    let context = UnsafeMutableRawPointer(bitPattern: 0x10)
    var contexts: [UnsafeMutableRawPointer?] = []
    first.react = {
      contexts.append(first.contexts.last ?? nil)
      if contexts.count == 1 {
        remove(first)
        article.addObserver(first, forKeyPath: "title", options: .new, context: context)
      }
    }
    add(first)
    article.title = "b"
    article.title = "c"
    #expect(first.take() == ["title: kind 1, new b", "title: kind 1, new c"])
    #expect(contexts == [nil, context])
    first.react = nil
  }
}
