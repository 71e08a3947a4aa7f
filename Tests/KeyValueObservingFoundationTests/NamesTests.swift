import Foundation
import KeyValueObservingFoundation
import TestSupport
import Testing

@Suite("Cocoa's names")
struct NamesTests {
  @Test("The raw values of options and kinds, and the texts of keys, are Cocoa's")
  func rawValues() {
    let options: [NSKeyValueObservingOptions] = [.new, .old, .initial, .prior]
    #expect(options.map(\.rawValue) == [1, 2, 4, 8])
    let kinds: [NSKeyValueChange] = [.setting, .insertion, .removal, .replacement]
    #expect(kinds.map(\.rawValue) == [1, 2, 3, 4])
    let keys: [NSKeyValueChangeKey] = [
      .kindKey, .newKey, .oldKey, .indexesKey, .notificationIsPriorKey,
    ]
    #expect(keys.map(\.rawValue) == ["kind", "new", "old", "indexes", "notificationIsPrior"])
    #expect(NSKeyValueChange(rawValue: 0) == nil && NSKeyValueChange(rawValue: 2) == .insertion)
  }

  @Test("A closure without a type for its change compiles as it does with Cocoa")
  func closures() {
    let article = Article()
    var titles: [String?] = []
    var token: NSKeyValueObservation? = article.observe(\.title, options: [.new]) {
      object, change in
      titles.append(change.newValue)
      #expect(object === article)
    }
    article.title = "b"
    #expect(titles == ["b"])
    token = nil
    article.title = "c"
    #expect(titles == ["b"])
    _ = token
  }

  @Test("A closure may take Cocoa's form of the change, by name or by what it does with it")
  func cocoaClosures() {
    let article = Article()
    var changes: [NSKeyValueObservedChange<[String]>] = []
    var indexes: [IndexSet] = []
    func note(_ set: IndexSet) { indexes.append(set) }
    let options: NSKeyValueObservingOptions = [.old, .new, .prior, .initial]
    let tokens: Set<NSKeyValueObservation> = [
      article.observe(\.tags, options: options) { _, change in
        changes.append(change)
      },
      article.observe(\.tags) { (_: Article, change: NSKeyValueObservedChange<[String]>) in
        changes.append(change)
      },
      article.observe(\.tags) { _, change in
        note(change.indexes ?? IndexSet(integer: 7))
      },
    ]
    article.tags = ["x"]
    #expect(changes.map(\.kind) == [.setting, .setting, .setting, .setting])
    #expect(changes.map(\.isPrior).filter(\.self).count == 1)
    #expect(changes.map(\.newValue).filter { $0 == ["x"] }.count == 1)
    #expect(changes.map(\.oldValue).filter { $0 == [] }.count == 2)
    #expect(changes.allSatisfy { $0.indexes == nil })
    #expect(indexes == [IndexSet(integer: 7)])
    for token in tokens { token.invalidate() }
  }

  @Test("What is nil is present, what was not asked for is not")
  func nilIsPresent() {
    let article = Article()
    article.subtitle = "s"
    var newValue: String??
    var oldValue: String??
    let token = article.observe(\.subtitle, options: .new) {
      (_, change: NSKeyValueObservedChange<String?>) in
      newValue = change.newValue
      oldValue = change.oldValue
    }
    article.subtitle = nil
    #expect(newValue == .some(nil) && oldValue == .none)
    token.invalidate()
  }

  @Test("Options default to none, and the token ends the observation")
  func tokens() {
    let article = Article()
    var received: [Bool] = []
    let token = article.observe(\.title) { (_, change: NSKeyValueObservedChange<String>) in
      received.append(change.newValue == nil && change.oldValue == nil)
    }
    article.title = "b"
    token.invalidate()
    token.invalidate()
    article.title = "c"
    #expect(received == [true])
    _ = article.observe(\.title) { (_, _: NSKeyValueObservedChange<String>) in
      received.append(false)
    }
    article.title = "d"
    #expect(received == [true])
  }

  @Test("P40: Cocoa's closure belongs to the actor on which it is registered")
  @MainActor
  func actors() {
    let node = SharedNode()
    let page = Page()
    page.begin(node)
    node.value = 1
    #expect(page.label == "1")
    elsewhere { node.value = 2 }
    #expect(page.label == "1")
    node.value = 3
    #expect(page.label == "123")
  }
}

@MainActor
private final class Page {
  var label = ""
  private var observation: NSKeyValueObservation?

  func begin(_ node: SharedNode) {
    observation = node.observe(\.value, options: .new) {
      [weak self] (_, change: NSKeyValueObservedChange<Int>) in
      self?.label += "\(change.newValue ?? 0)"
    }
  }
}
