import KeyValueObservingFoundation
import Testing

// Each in a process of its own: the diagnostics are those of the whole process, and tests of other
// targets cause some as well.
@Suite("What classic observers do wrong is reported once, and survived")
struct ClassicMisuseTests {
  @Test("P6: a key path that cannot work adds nothing, with one diagnostic for each")
  func refused() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      let article = Article()
      article.author = Author("n")
      let screen = Screen()
      for keyPath in ["titel", "", "title.", "author..name", "self", "author.name.count"] {
        article.addObserver(
          screen, forKeyPath: keyPath, options: [.initial, .new], context: nil)
        let sentences = Diagnostics.take()
        #expect(sentences.count == 1, "'\(keyPath)'")
        let start = "addObserver(_:forKeyPath: \"\(keyPath)\"): Screen is not added"
        #expect(sentences.first?.hasPrefix(start) == true)
      }
      article.addObserver(screen, forKeyPath: "titel", context: nil)
      #expect(
        Diagnostics.take() == [
          """
          addObserver(_:forKeyPath: "titel"): Screen is not added, because Article has no key \
          'titel'. Did you mean 'title'?
          """
        ])
      article.removeObserver(screen, forKeyPath: "titel")
      #expect(Diagnostics.take().count == 1)
      article.title = "b"
      #expect(screen.take() == [])
    }
  }

  @Test("P34: removing what is not registered does nothing, with one diagnostic")
  func notRegistered() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      let article = Article()
      let screen = Screen()
      article.removeObserver(screen, forKeyPath: "title")
      #expect(
        Diagnostics.take() == [
          """
          removeObserver(_:forKeyPath: "title"): Screen does not observe this key path of Article \
          with any context. Remove an observer once for each time that it was added, with the same \
          key path and context.
          """
        ])
      article.addObserver(screen, forKeyPath: "title", context: nil)
      #expect(Diagnostics.take() == [])
      article.removeObserver(screen, forKeyPath: "count")
      article.removeObserver(screen, forKeyPath: "nothing")
      article.removeObserver(Screen(), forKeyPath: "title")
      #expect(Diagnostics.take().count == 3)
      article.title = "b"
      #expect(screen.take() == ["title: kind 1"])
      article.removeObserver(screen, forKeyPath: "title")
      #expect(Diagnostics.take() == [])
      article.removeObserver(screen, forKeyPath: "title")
      #expect(Diagnostics.take().count == 1)
    }
  }

  @Test("A wrong context keeps the registration, with one diagnostic")
  func wrongContext() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      let article = Article()
      let screen = Screen()
      article.addObserver(screen, forKeyPath: "title", context: nil)
      article.removeObserver(
        screen, forKeyPath: "title", context: UnsafeMutableRawPointer(bitPattern: 0x10))
      #expect(Diagnostics.take().count == 1)
      article.title = "b"
      #expect(screen.take() == ["title: kind 1"])
    }
  }

  @Test("Deallocation of an observer is no misuse, nor is removing itself in its deinit")
  func silentDeallocations() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      let article = Article()
      article.addObserver(Screen(), forKeyPath: "title", context: nil)
      article.addObserver(
        Screen { article.removeObserver($0, forKeyPath: "title") }, forKeyPath: "title",
        context: nil)
      article.title = "b"
      #expect(Diagnostics.take() == [])
    }
  }
}
