import Foundation
import Testing

/// The command as a user runs it.
@Suite struct WatchTests {
  @Test func `A save in place prints what changed`() throws {
    let document = try TemporaryDocument(#"{"title": "A", "author": {"name": "Ada"}}"#)
    let kvo = try watch(document, "title", "author.name")
    try document.writeInPlace(#"{"title": "B", "author": {"name": "Ada"}}"#)
    #expect(try change(kvo) == #"title        value changed  "A" → "B""#)
    try document.writeInPlace(#"{"title": "B", "author": {"name": "Grace"}}"#)
    #expect(try change(kvo) == #"author.name  value changed  "Ada" → "Grace""#)
    try document.writeInPlace(#"{"title": "B"}"#)
    #expect(try change(kvo) == #"author.name  path changed   "Grace" → null"#)
    try end(kvo)
  }

  @Test func `A link that changes nothing at the end of the path prints nothing`() throws {
    let document = try TemporaryDocument(#"{"n": 0}"#)
    let kvo = try watch(document, "author.name", "n")
    try document.writeInPlace(#"{"author": {}, "n": 1}"#)
    #expect(try change(kvo) == "n            value changed  0 → 1")
    try end(kvo)
  }

  @Test(arguments: [
    ("\"Ada\"", "a string"), ("[\"Ada\"]", "an array that holds a string"), ("1", "a number"),
  ])
  func `A link that becomes a value without keys is reported in a message`(
    value: String, kind: String
  ) throws {
    let document = try TemporaryDocument(#"{"author": {"name": "Ada"}}"#)
    let kvo = try watch(document, "author.name")
    try document.replace("{\"author\": \(value)}")
    #expect(
      try kvo.nextMessage()
        == "kvo: \(document.path): 'author.name' is not a value, because 'author' is \(kind) and has "
        + "no keys. Did you mean 'author'?")
    #expect(try change(kvo) == #"author.name  path changed   "Ada" → null"#)
    try document.replace(#"{"author": {"name": "Grace"}}"#)
    #expect(try change(kvo) == #"author.name  path changed   null → "Grace""#)
    try end(kvo)
  }

  @Test func `A link that becomes an array leads to its elements`() throws {
    let document = try TemporaryDocument(#"{"author": {"name": "Ada"}}"#)
    let kvo = try watch(document, "author.name")
    try document.replace(#"{"author": [{"name": "Ada"}, {"name": "Grace"}]}"#)
    #expect(try change(kvo) == #"author.name  path changed   "Ada" → ["Ada","Grace"]"#)
    try document.replace(#"{"author": [{}]}"#)
    #expect(
      try kvo.nextMessage()
        == "kvo: \(document.path): no element of 'author' has a 'name', so it is null in each until "
        + "it is added.")
    #expect(try change(kvo) == #"author.name  value changed  ["Ada","Grace"] → [null]"#)
    try end(kvo)
  }

  @Test func `One save is one change of a value that is computed from an array`() throws {
    let document = try TemporaryDocument(orders(1, 2, 3))
    let kvo = try watch(document, "orders.@sum.total", "orders.@count", "orders.total")
    try document.replace(orders(1, 20, 3))
    #expect(try change(kvo) == "orders.@sum.total  value changed  6 → 24")
    #expect(try change(kvo) == "orders.total       value changed  [1,2,3] → [1,20,3]")
    try document.writeInPlace(orders(1, 7, 8, 9, 20, 30))
    #expect(try change(kvo) == "orders.@sum.total  value changed  24 → 75")
    #expect(try change(kvo) == "orders.@count      value changed  3 → 6")
    #expect(try change(kvo) == "orders.total       value changed  [1,20,3] → [1,7,8,9,20,30]")
    try document.replace(orders(30, 20, 9, 8, 7, 1))
    #expect(
      try change(kvo) == "orders.total       value changed  [1,7,8,9,20,30] → [30,20,9,8,7,1]")
    try document.replace(orders())
    #expect(try change(kvo) == "orders.@sum.total  value changed  75 → 0")
    #expect(try change(kvo) == "orders.@count      value changed  6 → 0")
    #expect(try change(kvo) == "orders.total       value changed  [30,20,9,8,7,1] → []")
    try end(kvo)
  }

  @Test func `Elements that are inserted and removed are reported with their places in the file`()
    throws
  {
    let document = try TemporaryDocument(#"{"tags": ["a", "b", "c", "d"]}"#)
    let kvo = try watch(document, "tags")
    try document.replace(#"{"tags": ["a", "x", "y", "b", "c", "z", "d"]}"#)
    #expect(try change(kvo) == #"tags  insertion      at 1–2, 5: ["x","y","z"]"#)
    try document.replace(#"{"tags": ["x", "y", "B", "c", "z", "d", "e"]}"#)
    #expect(try change(kvo) == #"tags  removal        at 0: ["a"]"#)
    #expect(try change(kvo) == #"tags  insertion      at 6: ["e"]"#)
    #expect(try change(kvo) == #"tags  replacement    at 2: ["b"] → ["B"]"#)
    try document.replace(#"{"tags": null}"#)
    #expect(
      try change(kvo) == #"tags  value changed  ["x","y","B","c","z","d","e"] → null"#)
    try end(kvo)
  }

  @Test func `A sum that cannot be computed any more is null, with a message`() throws {
    let document = try TemporaryDocument(orders(1, 2))
    let kvo = try watch(document, "orders.@sum.total")
    try document.replace(#"{"orders": [{"total": "x"}]}"#)
    #expect(
      try kvo.nextMessage()
        == "kvo: \(document.path): 'orders.@sum.total': '@sum' takes numbers, and \"x\" is of type "
        + "String. Name a key whose values are numbers. It is null until it can be."
    )
    #expect(try change(kvo) == "orders.@sum.total  value changed  3 → null")
    try document.replace(orders(5))
    #expect(try change(kvo) == "orders.@sum.total  value changed  null → 5")
    try end(kvo)
  }

  @Test func `A file that replaces the document prints what changed, again and again`() throws {
    let document = try TemporaryDocument(#"{"title": 0}"#)
    let kvo = try watch(document, "title")
    for number in 1...5 {
      try document.replace("{\"title\": \(number)}")
      #expect(try change(kvo) == "title  value changed  \(number - 1) → \(number)")
    }
    try end(kvo)
  }

  @Test func `A file that is removed and created again prints what changed`() throws {
    let document = try TemporaryDocument(#"{"title": "A"}"#)
    let kvo = try watch(document, "title")
    try document.remove()
    #expect(
      try kvo.nextMessage()
        == "kvo: \(document.path): there is no such file. The last good document stays.")
    try document.writeInPlace(#"{"title": "B"}"#)
    #expect(try change(kvo) == #"title  value changed  "A" → "B""#)
    #expect(try kvo.nextMessage() == "kvo: \(document.path): can be read again")
    try document.remove()
    try document.writeInPlace(#"{"title": "C"}"#)
    #expect(try change(kvo) == #"title  value changed  "B" → "C""#)
    try end(kvo)
  }

  @Test func `The last of many saves in a row is never missed`() throws {
    let document = try TemporaryDocument(#"{"n": 0}"#)
    let kvo = try watch(document, "n")
    for burst in 1...5 {
      for number in 1...40 { try document.writeInPlace("{\"n\": \(burst * 100 + number)}") }
      var line = try change(kvo)
      while line.hasSuffix("→ \(burst * 100 + 40)") == false { line = try change(kvo) }
    }
    try end(kvo)
  }

  @Test func `Half a save is reported with its place, and the last good document stays`() throws {
    let document = try TemporaryDocument(#"{"title": "A"}"#)
    let kvo = try watch(document, "title")
    try document.writeInPlace("{\n  \"title\": \"B")
    let message = try kvo.nextMessage()
    #expect(
      message == "kvo: \(document.path): not JSON: line 2, column 14: the document ends inside the "
        + "string that begins in line 2. The last good document stays.")
    try document.writeInPlace("{\n  \"title\": \"C\"}")
    #expect(try change(kvo) == #"title  value changed  "A" → "C""#)
    try end(kvo)
  }

  @Test func `A document that is not there yet is waited for`() throws {
    let document = try TemporaryDocument()
    let kvo = try watch(document, "author.name")
    #expect(
      try kvo.nextMessage()
        == "kvo: \(document.path): there is no such file. "
        + "Watching goes on until there is a document."
    )
    try document.replace(#"{"author": {"name": "Ada"}}"#)
    #expect(try change(kvo) == #"author.name  path changed   null → "Ada""#)
    try end(kvo)
  }

  @Test func `A path that turns out never to work ends the wait with status 64`() throws {
    let document = try TemporaryDocument()
    let kvo = try watch(document, "title.length")
    try document.replace(#"{"title": "A"}"#)
    #expect(try kvo.end().status == 64)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `An interruption ends it with status 0`(signal: Int32) throws {
    let document = try TemporaryDocument("{}")
    let kvo = try KvoProcess("watch", document.path, "editor")
    #expect(
      try kvo.nextMessage()?.hasSuffix("there is no 'editor', so it is null until it is added.")
        == true)
    #expect(try kvo.nextMessage()?.hasPrefix("kvo: watching 1 key path of") == true)
    kvo.send(signal)
    let end = try kvo.end()
    #expect(end.status == 0)
    #expect(end.lines == [])
    #expect(end.messages == [])
  }

  @Test func `With --json each line is an object`() throws {
    let document = try TemporaryDocument(#"{"a": {"b": 1}}"#)
    let kvo = try watch(document, "a.b", "--json")
    try document.replace(#"{"a": {"b": 2.5}}"#)
    let line = try #require(try kvo.nextLine())
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["keyPath"] as? String == "a.b")
    #expect(object["reason"] as? String == "value changed")
    #expect(object["old"] as? Int == 1)
    #expect(object["new"] as? Double == 2.5)
    let time = try #require(object["time"] as? String)
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    #expect(try abs(Date(time, strategy: style).timeIntervalSinceNow) < 60)
    try end(kvo)
  }

  private func orders(_ totals: Int...) -> String {
    "{\"orders\": [\(totals.map { "{\"total\": \($0)}" }.joined(separator: ", "))]}"
  }

  /// Runs `kvo watch` until it observes.
  private func watch(_ document: TemporaryDocument, _ arguments: String...) throws -> KvoProcess {
    let kvo = try KvoProcess(arguments: ["watch", document.path] + arguments)
    while let message = try kvo.nextMessage(), !message.contains(": watching ") {}
    return kvo
  }

  /// The next line without its time.
  private func change(_ kvo: KvoProcess) throws -> String {
    let line = try #require(try kvo.nextLine())
    return String(line.dropFirst("00:00:00.000  ".count))
  }

  private func end(_ kvo: KvoProcess) throws {
    kvo.send(SIGINT)
    let end = try kvo.end()
    #expect(end.status == 0)
    #expect(end.lines == [])
  }
}
