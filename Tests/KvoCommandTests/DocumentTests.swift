import KeyValueObserving
import Testing

@testable import KvoCommand

@Suite struct DocumentTests {
  private let document = Document()
  private let log = Log()

  @Test func `Only what is different notifies`() throws {
    try apply(#"{"title": "A", "views": 1, "on": true, "big": 12345678901234567890, "no": null}"#)
    let tokens = try observe("title", "views", "on", "big", "no")
    try apply(#"{"no": null, "big": 12345678901234567890, "on": true, "views": 2, "title": "A"}"#)
    #expect(log.lines == ["views valueChanged 1 2"])
    end(tokens)
  }

  @Test func `A nested value is set on the object that is there`() throws {
    try apply(#"{"author": {"name": "Ada", "address": {"city": "London"}}}"#)
    let author = document.root["author"] as? KeyValueDictionary
    let tokens = try observe("author", "author.name", "author.address.city")
    try apply(#"{"author": {"name": "Ada", "address": {"city": "Paris"}}}"#)
    #expect(log.lines == [#"author.address.city valueChanged "London" "Paris""#])
    #expect(document.root["author"] as? KeyValueDictionary === author)
    end(tokens)
  }

  @Test func `An object that gives way to another value changes the path`() throws {
    try apply(#"{"author": {"name": "Ada"}}"#)
    let tokens = try observe("author.name")
    try apply(#"{"author": null}"#)
    try apply(#"{"author": {"name": "Grace"}}"#)
    #expect(
      log.lines == [
        #"author.name pathChanged "Ada" null"#, #"author.name pathChanged null "Grace""#,
      ])
    end(tokens)
  }

  @Test func `A key that is removed becomes nil, and may come back`() throws {
    try apply(#"{"a": 1, "b": {"c": 2}}"#)
    let tokens = try observe("a", "b.c")
    try apply(#"{"b": {}}"#)
    #expect(log.lines == ["b.c valueChanged 2 null", "a valueChanged 1 null"])
    #expect(document.root.keys.sorted() == ["b"])
    log.lines = []
    try apply(#"{"a": 1, "b": {"c": 2}}"#)
    #expect(log.lines == ["a valueChanged null 1", "b.c valueChanged null 2"])
    end(tokens)
  }

  @Test func `Changes are told in the order of the document`() throws {
    try apply("{}")
    let tokens = try observe("a", "b", "c")
    try apply(#"{"c": 1, "a": 2, "b": 3}"#)
    #expect(log.lines.map { $0.prefix(1) } == ["c", "a", "b"])
    end(tokens)
  }

  @Test func `An equal array is left alone`() throws {
    try apply(#"{"tags": ["a", 1, null, {"b": [2]}]}"#)
    let tokens = try observe("tags")
    try apply(#"{"tags": ["a", 1.0, null, {"b": [2]}]}"#)
    #expect(log.lines == [])
    end(tokens)
  }

  @Test func `An array that changed is set, and its equal elements stay the objects they were`()
    throws
  {
    try apply(#"{"tags": [{"a": 1}, {"b": 2}]}"#)
    let former = document.root["tags"] as? [Any?]
    let tokens = try observe("tags")
    try apply(#"{"tags": [{"a": 1}, {"b": 3}, "c"]}"#)
    #expect(
      log.lines == [#"tags valueChanged [{"a":1},{"b":2}] [{"a":1},{"b":3},"c"]"#])
    let current = document.root["tags"] as? [Any?]
    #expect(former?[0] as? KeyValueDictionary === current?[0] as? KeyValueDictionary)
    #expect(former?[1] as? KeyValueDictionary !== current?[1] as? KeyValueDictionary)
    end(tokens)
  }

  @Test func `A number is no boolean and no string`() throws {
    try apply(#"{"a": 1, "b": 0}"#)
    let tokens = try observe("a", "b")
    try apply(#"{"a": true, "b": "0"}"#)
    #expect(log.lines == ["a valueChanged 1 true", #"b valueChanged 0 "0""#])
    end(tokens)
  }

  private final class Log {
    var lines: [String] = []
  }

  private func apply(_ text: String) throws {
    guard case .object(let object) = try JSONReader.read(Array(text.utf8)) else { return }
    document.apply(object)
  }

  private func observe(_ keyPaths: String...) throws -> [KeyValueObservation] {
    try keyPaths.map { [log] keyPath in
      try document.root.observe(keyPath, options: [.old, .new]) { _, change in
        let old = JSONText.text(of: change.oldValue ?? nil)
        let new = JSONText.text(of: change.newValue ?? nil)
        log.lines.append("\(keyPath) \(change.reason) \(old) \(new)")
      }
    }
  }

  private func end(_ tokens: [KeyValueObservation]) {
    for token in tokens { token.invalidate() }
  }
}
