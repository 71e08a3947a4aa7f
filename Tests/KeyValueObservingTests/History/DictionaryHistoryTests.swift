import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private final class Page {
  var title = "a"
  var settings: KeyValueDictionary?
}

/// Undo of the entries of objects with dynamic keys.
@Suite struct DictionaryHistories {
  private let recorder = Recorder()

  private func keys(_ object: KeyValueDictionary) -> [String] { object.keys.sorted() }

  @Test("P58: entries that are inserted, changed and removed are taken back, and made again")
  func entries() throws {
    let settings: KeyValueDictionary = ["volume": 7, "name": nil]
    let history = KeyValueHistory(of: settings)
    settings["volume"] = 8
    settings["skin"] = "dark"
    settings.removeValue(forKey: "volume")
    settings.removeValue(forKey: "name")
    settings["name"] = "x"
    #expect(keys(settings) == ["name", "skin"])
    try history.undo()
    #expect(keys(settings) == ["skin"])
    try history.undo()
    #expect(keys(settings) == ["name", "skin"] && settings["name"] == nil)
    try history.undo()
    #expect(settings["volume"] as? Int == 8)
    try history.undo()
    #expect(keys(settings) == ["name", "volume"])
    try history.undo()
    #expect(settings["volume"] as? Int == 7 && !history.canUndo)
    for _ in 0..<2 { try history.redo() }
    #expect(keys(settings) == ["name", "skin", "volume"])
    #expect(settings["skin"] as? String == "dark" && settings["volume"] as? Int == 8)
    for _ in 0..<3 { try history.redo() }
    #expect(keys(settings) == ["name", "skin"] && settings["name"] as? String == "x")
    #expect(!history.canRedo)
  }

  @Test("P58, P59: a transaction is a group, whose undo notifies the observers of each key once")
  func transaction() throws {
    let settings: KeyValueDictionary = ["a": 1]
    let history = KeyValueHistory(of: settings)
    let tokens = try ["a", "b"].map { key in
      try settings.observe(key, options: [.old, .new]) { [recorder] _, change in
        recorder.write("\(key) \(change.oldValue! ?? "nil")→\(change.newValue! ?? "nil")")
      }
    }
    withKeyValueTransaction {
      settings.removeValue(forKey: "a")
      settings["b"] = 1
      settings["b"] = 2
      try? withKeyValueTransaction {
        settings["c"] = 3
        settings.removeValue(forKey: "b")
        throw Refused()
      }
    }
    #expect(recorder.take() == ["a 1→nil", "b nil→2"])
    #expect(keys(settings) == ["b"])
    try history.undo()
    #expect(recorder.take().sorted() == ["a nil→1", "b 2→nil"])
    #expect(keys(settings) == ["a"] && !history.canUndo)
    try history.redo()
    #expect(keys(settings) == ["b"] && settings["b"] as? Int == 2)
    withExtendedLifetime(tokens) {}
  }

  @Test("P52, P58: a history that begins in a nested rollback starts from what is put back")
  func beginsInRollback() throws {
    let settings: KeyValueDictionary = ["a": 1]
    let history = KeyValueHistory(of: Page())
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        settings.removeValue(forKey: "a")
        settings["b"] = 2
        settings["c"] = 2
        history.record(settings)
        settings["c"] = 3
        throw Refused()
      }
      settings["a"] = 4
      settings["b"] = 5
      settings["c"] = 6
    }
    try history.undo()
    #expect(keys(settings) == ["a"] && settings["a"] as? Int == 1)
    try history.redo()
    #expect(keys(settings) == ["a", "b", "c"] && settings["c"] as? Int == 6)
  }

  @Test("P58: what is rolled back is not recorded, nor what is set without recording")
  func leftOut() throws {
    let settings: KeyValueDictionary = [:]
    let history = KeyValueHistory(of: settings)
    try? withKeyValueTransaction {
      settings["a"] = 1
      throw Refused()
    }
    history.withoutRecording { settings["a"] = 2 }
    #expect(!history.canUndo)
    settings["a"] = 3
    try history.undo()
    #expect(settings["a"] as? Int == 2)
    #expect(reportedIdentifiers { history.record([:] as KeyValueDictionary) } == [])
  }

  @Test(
    "P58: with `includingReachable`, the objects in entries are recorded, also those that come later"
  )
  func reachable() throws {
    let page = Page()
    page.settings = ["skin": ["name": "dark"], "pages": [["n": 1], ["n": 2]]]
    let history = KeyValueHistory(of: page, includingReachable: true)
    let skin = try #require(page.settings?["skin"] as? KeyValueDictionary)
    skin["name"] = "light"
    let second = try #require((page.settings?["pages"] as? [Any?])?[1] as? KeyValueDictionary)
    second["m"] = 5
    let other = Page()
    page.settings?["other"] = other
    other.title = "b"
    page.settings?["deep"] = ["empty": [:] as [String: Any?]]
    let deep = try #require(page.settings?["deep"] as? KeyValueDictionary)
    let empty = try #require(deep["empty"] as? KeyValueDictionary)
    empty["x"] = 1
    try history.undo()
    #expect(keys(empty) == [])
    try history.undo()
    #expect(page.settings?["deep"] == nil)
    try history.undo()
    #expect(other.title == "a")
    try history.undo()
    #expect(keys(page.settings!) == ["pages", "skin"])
    try history.undo()
    #expect(keys(second) == ["n"])
    try history.undo()
    #expect(skin["name"] as? String == "dark" && !history.canUndo)
    for _ in 0..<6 { try history.redo() }
    #expect(page.settings?["other"] as? Page === other && other.title == "b")
    #expect(page.settings?["deep"] as? KeyValueDictionary === deep && empty["x"] as? Int == 1)
  }

  @Test("P58, P60: edits by proxy are taken back, and the key with the first insertion")
  func proxies() throws {
    let settings: KeyValueDictionary = ["tags": ["a"], "none": nil]
    let history = KeyValueHistory(of: settings)
    let tags = try settings.mutableArrayValue(forKey: "tags")
    let new = try settings.mutableArrayValue(forKey: "new")
    let none = try settings.mutableArrayValue(forKey: "none")
    tags.insert("b", at: 0)
    new.append("x")
    none.append("y")
    new.append("z")
    func shown(_ key: String) -> [String?]? {
      (settings[key] as? [Any?])?.map { $0 as? String }
    }
    #expect(shown("tags") == ["b", "a"] && shown("new") == ["x", "z"] && shown("none") == ["y"])
    try history.undo()
    #expect(shown("new") == ["x"])
    try history.undo()
    #expect(settings["none"] == nil && keys(settings) == ["new", "none", "tags"])
    try history.undo()
    #expect(keys(settings) == ["none", "tags"])
    try history.undo()
    #expect(shown("tags") == ["a"] && !history.canUndo)
    for _ in 0..<4 { try history.redo() }
    #expect(shown("tags") == ["b", "a"] && shown("new") == ["x", "z"] && shown("none") == ["y"])
  }

  @Test("P58: a mutation block and a pair of a new key are recorded")
  func manual() throws {
    let settings: KeyValueDictionary = [:]
    let history = KeyValueHistory(of: settings)
    settings.withMutation(forKey: "a") { settings["a"] = 1 }
    #expect(keys(settings) == ["a"])
    try history.undo()
    #expect(keys(settings) == [] && !history.canUndo)
    try history.redo()
    #expect(settings["a"] as? Int == 1)
  }

  @Test("P61: changes of one entry within the interval are one group")
  func coalescing() throws {
    let settings: KeyValueDictionary = [:]
    let history = KeyValueHistory(of: settings, coalescing: .seconds(60))
    settings["a"] = 1
    settings["a"] = 2
    settings.removeValue(forKey: "a")
    settings["a"] = 3
    settings["b"] = 1
    try history.undo()
    #expect(keys(settings) == ["a"] && settings["a"] as? Int == 3)
    try history.undo()
    #expect(keys(settings) == [] && !history.canUndo)
    try history.redo()
    #expect(settings["a"] as? Int == 3)
  }

  @Test(
    "P58: a key that is observed before it is there is recorded, and a history may be released")
  func observedKey() throws {
    let settings: KeyValueDictionary = [:]
    var history: KeyValueHistory? = KeyValueHistory(of: settings)
    let other = KeyValueHistory(of: settings)
    other.record(settings)
    let token = try settings.observe("a") { _, _ in }
    settings["a"] = 1
    try history?.undo()
    #expect(keys(settings) == [])
    history = nil
    settings["b"] = 2
    try other.undo()
    try other.undo()
    #expect(keys(settings) == ["a"])
    try other.undo()
    #expect(keys(settings) == [] && !other.canUndo)
    withExtendedLifetime(token) {}
  }

  @Test("P11, P58: what prior handlers of an entry insert belongs to the group")
  func priorHandler() throws {
    let settings: KeyValueDictionary = [:]
    let history = KeyValueHistory(of: settings)
    var isFirst = true
    let token = try settings.observe("a", options: .prior) { settings, change in
      if change.isPrior, isFirst {
        isFirst = false
        settings["a"] = 1
      }
    }
    settings["a"] = 2
    try history.undo()
    #expect(keys(settings) == [] && !history.canUndo)
    try history.redo()
    #expect(settings["a"] as? Int == 2)
    withExtendedLifetime(token) {}
  }

  @Test("P58, P64: an undo does not write a bound entry of a recorded object that came later")
  func laterBoundEntry() throws {
    let page = Page()
    let settings: KeyValueDictionary = [:]
    let history = KeyValueHistory(of: page)
    history.record(settings)
    page.title = "b"
    history.withoutRecording { settings["title"] = "c" }
    let binding = try settings.bind("title", to: page, "title")
    #expect(page.title == "c")
    try history.undo()
    #expect(page.title == "b" && settings["title"] as? String == "c")
    try history.undo()
    #expect(page.title == "a" && settings["title"] as? String == "c")
    withExtendedLifetime(binding) {}
  }

  @Test("P58, P64: nor one that is still missing, which an undo would insert")
  func missingBoundEntry() throws {
    let (settings, page): (KeyValueDictionary, KeyValueDictionary) = ([:], ["title": "a"])
    let history = KeyValueHistory(of: settings)
    history.record(page)
    let binding = try settings.bind("title", to: page, "title")
    #expect(page["title"] == nil)
    try history.undo()
    #expect(page["title"] as? String == "a" && keys(settings) == [])
    withExtendedLifetime(binding) {}
  }

  @Test("P58: histories that are released leave nothing at the object")
  func released() {
    let settings: KeyValueDictionary = ["a": 1]
    for _ in 0..<100 { withExtendedLifetime(KeyValueHistory(of: settings)) {} }
    #expect(settings.observationContext.entryRecorders.count == 1)
    settings["b"] = 1
    #expect(settings.observationContext.entryRecorders.isEmpty)
    #expect(settings.observationContext.keyWithObservers(named: KeyName("a")) == nil)
  }
}
