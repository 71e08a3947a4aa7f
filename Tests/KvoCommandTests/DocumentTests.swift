import KeyValueObserving
import TestSupport
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

  @Test func `A number of more than 19 digits is a number, however it is written`() throws {
    try apply(#"{"big": 12345678901234567890, "all": [{"n": 12345678901234567890}, {"n": 1}]}"#)
    let tokens = try observe("big", "all.@sum.n", "all.@max.n")
    try apply(#"{"big": 12345678901234567890.0, "all": [{"n": 1234567890123456789e1}, {"n": 1}]}"#)
    #expect(log.lines == [])
    try apply(#"{"big": 12345678901234567891, "all": [{"n": 12345678901234567890}, {"n": 2}]}"#)
    #expect(
      log.lines == [
        "big valueChanged 12345678901234567890 12345678901234567891",
        "all.@sum.n valueChanged 12345678901234567891 12345678901234567892",
        "all.@max.n valueChanged 12345678901234567890 12345678901234567890",
      ])
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

  @Test func `Changes are reported in the order of the document`() throws {
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

  @Test func `Elements that come and go are one change, those that only come an edit`() throws {
    try apply(#"{"tags": ["a", "b", "c", "d"]}"#)
    let tokens = try observe("tags", "tags.@count")
    try apply(#"{"tags": ["b", "C", "d", "e", "f"]}"#)
    #expect(
      log.lines == [
        #"tags valueChanged ["a","b","c","d"] ["b","C","d","e","f"]"#,
        "tags.@count valueChanged 4 5",
      ])
    log.lines = []
    try apply(#"{"tags": ["b", "C", "x", "d", "e", "f"]}"#)
    #expect(
      log.lines == [#"tags insertion [2] null ["x"]"#, "tags.@count valueChanged 5 6"])
    end(tokens)
  }

  @Test func `Objects in an array stay, and are updated key by key`() throws {
    try apply(#"{"orders": [{"id": 1, "total": 1}, {"id": 2, "total": 2}, {"total": 3}]}"#)
    let former = try #require(document.root["orders"] as? [Any?])
    let tokens = try observe("orders", "orders.@sum.total")
    try apply(
      #"{"orders": [{"id": 9, "total": 9}, {"id": 1, "total": 1}, {"id": 2, "total": 7}, "#
        + #"{"total": 4}]}"#)
    #expect(
      log.lines == [
        #"orders insertion [0] null [{"id":9,"total":9}]"#,
        "orders.@sum.total valueChanged 6 21",
      ])
    let current = try #require(document.root["orders"] as? [Any?])
    #expect(zip(former, current.dropFirst()).allSatisfy { isSame($0, $1) })
    end(tokens)
  }

  @Test func `An object gives way to one with another id, or to a value`() throws {
    try apply(#"{"orders": [{"id": 1}, {"id": 2}, [1]]}"#)
    let tokens = try observe("orders")
    try apply(#"{"orders": [{"id": 3}, "x", [2]]}"#)
    #expect(
      log.lines == [
        #"orders replacement [0, 1, 2] [{"id":1},{"id":2},[1]] [{"id":3},"x",[2]]"#
      ])
    end(tokens)
  }

  @Test func `A value that becomes an array, or is no longer one, is set`() throws {
    try apply(#"{"a": null, "b": [1]}"#)
    let tokens = try observe("a", "b")
    try apply(#"{"a": [1], "b": {"c": 1}}"#)
    #expect(
      log.lines == ["a valueChanged null [1]", #"b valueChanged [1] {"c":1}"#])
    end(tokens)
  }

  @Test(arguments: 0..<20)
  func `Whatever it was before, a document shows what it was read from`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let token = try document.root.observe("a.@count") { _, _ in }
    for _ in 0..<30 {
      let object: JSONObject = ["a": .array(JSONValue.arbitraryArray(using: &random)), "b": .null]
      document.apply(object)
      let text = JSONText.text(of: document.root)
      #expect(try JSONReader.read(Array(text.utf8)) == .object(object), "seed \(seed)")
    }
    token.invalidate()
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
        let places = change.indexes.map { "\(change.kind) \($0.ranges.flatMap { Array($0) })" }
        log.lines.append("\(keyPath) \(places ?? "\(change.reason)") \(old) \(new)")
      }
    }
  }

  private func isSame(_ left: Any?, _ right: Any?) -> Bool {
    (left as? KeyValueDictionary).map { $0 === right as? KeyValueDictionary } ?? false
  }

  private func end(_ tokens: [KeyValueObservation]) {
    for token in tokens { token.invalidate() }
  }
}
