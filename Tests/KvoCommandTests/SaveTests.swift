import KeyValueObserving
import Testing

@testable import KvoCommand

@Suite struct SaveTests {
  @Test func `Settings of one save are one, from the first old value to the last new one`() throws {
    #expect(
      try changes(
        of: "orders.@sum.total",
        from: #"{"orders": [{"id": 1, "total": 1}, {"id": 2, "total": 2}]}"#,
        to: #"{"orders": [{"id": 2, "total": 5}, {"id": 3, "total": 3}]}"#)
        == ["setting valueChanged 3 8"])
  }

  @Test func `A value that is what it was before the save is not reported`() throws {
    #expect(
      try changes(
        of: "orders.@sum.total",
        from: #"{"orders": [{"id": 1, "total": 1}, {"id": 2, "total": 2}]}"#,
        to: #"{"orders": [{"id": 1, "total": 2}, {"id": 2, "total": 1}]}"#) == [])
  }

  @Test func `A path whose object is another one has changed, also with others around it`() throws {
    #expect(
      try changes(of: "a.b", from: #"{"a": {"b": 1}, "c": 1}"#, to: #"{"a": null, "c": 2}"#)
        == ["setting pathChanged 1 null"])
  }

  @Test func `What happens to elements stays as it is`() throws {
    #expect(
      try changes(
        of: "in.tags", from: #"{"in": {"tags": ["a", "b", "c"]}}"#,
        to: #"{"in": {"tags": ["b", "C", "d"]}}"#) == [
          #"removal [0] ["a"] null"#, #"insertion [2] null ["d"]"#, #"replacement [1] ["c"] ["C"]"#,
        ])
  }

  @Test(arguments: ["tags", "self.tags"])
  func `Several kinds of edits of an array are changes of their own`(keyPath: String) throws {
    #expect(
      try changes(of: keyPath, from: #"{"tags": ["a", "b"]}"#, to: #"{"tags": ["b", "c", "d"]}"#)
        == [#"removal [0] ["a"] null"#, #"insertion [1, 2] null ["c","d"]"#])
  }

  @Test func `An old object is reported as it was, whatever becomes of it`() throws {
    #expect(
      try changes(
        of: "orders.@distinctUnionOfObjects.who",
        from: #"{"orders": [{"id": 1, "who": {"name": "Ada"}}]}"#,
        to: #"{"orders": [{"id": 1, "who": {"name": "Eve"}}, {"id": 2, "who": 3}]}"#)
        == [#"setting valueChanged [{"name":"Ada"}] [{"name":"Eve"},3]"#])
  }

  /// The changes of a key path that a save makes.
  private func changes(
    of keyPath: String, from former: String, to current: String
  ) throws -> [String] {
    let document = Document()
    document.apply(try object(former))
    var save = Save(to: document, of: [keyPath])
    let token = try document.root.observe(keyPath, options: [.old, .new]) { _, change in
      save.receive(change, of: keyPath)
    }
    document.apply(try object(current))
    token.invalidate()
    return save.changes(of: keyPath, in: document).map { change in
      let places = change.indexes.map { "\($0.ranges.flatMap { Array($0) })" }
      let old = JSONText.text(of: change.oldValue ?? nil)
      let new = JSONText.text(of: change.newValue ?? nil)
      return "\(change.kind) \(places ?? "\(change.reason)") \(old) \(new)"
    }
  }

  private func object(_ text: String) throws -> JSONObject {
    guard case .object(let object) = try JSONReader.read(Array(text.utf8)) else { return [:] }
    return object
  }
}
