import Foundation
import KeyValueObservingFoundation
import Testing

@Suite("A change as a dictionary")
struct ChangeDictionaryTests {
  @Test("P2: a change has a dictionary that says what a classic observer receives")
  func sameAsClassic() throws {
    let article = Article()
    let screen = Screen()
    let lines = Lines()
    let options: KeyValueObservation.Options = [.initial, .prior, .old, .new]
    article.addObserver(screen, forKeyPath: "subtitle", options: options)
    article.addObserver(screen, forKeyPath: "tags", options: options)
    let tokens = [
      article.observe(\.subtitle, options: options) { lines.add("subtitle", $1) },
      article.observe(\.tags, options: options) { lines.add("tags", $1) },
    ]
    article.subtitle = "a"
    article.subtitle = nil
    let tags = article.mutableArrayValue(for: \.tags)
    tags.append("x")
    tags[0] = "y"
    tags.remove(at: 0)
    #expect(lines.take() == screen.take())
    withExtendedLifetime(tokens) {}
  }

  @Test("P2: absent values are absent, nil is NSNull, and doubly wrapped values are not wrapped")
  func values() {
    let absent = KeyValueChange<Int?>(newValue: nil)
    #expect(describe(absent.dictionary) == "kind 1")
    let null = KeyValueChange<Int?>(newValue: .some(nil), oldValue: 1)
    #expect(describe(null.dictionary) == "kind 1, new null, old 1")
    let wrapped = KeyValueChange<Int??>(newValue: .some(.some(nil)), oldValue: .some(.some(2)))
    #expect(describe(wrapped.dictionary) == "kind 1, new null, old 2")
  }
}
