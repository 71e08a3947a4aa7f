import Foundation
import Testing

/// Runs of the command that end by themselves.
@Suite struct CommandTests {
  @Test func `The values are printed once`() throws {
    let document = try TemporaryDocument(#"{"title": "A", "author": {"name": "Ada"}}"#)
    let end = try KvoProcess("watch", "--once", document.path, "title", "author", "author.name")
      .end()
    #expect(
      end.lines == [#"title        "A""#, #"author       {"name":"Ada"}"#, #"author.name  "Ada""#])
    #expect(end.messages == [])
    #expect(end.status == 0)
  }

  @Test func `Operators and keys of elements are evaluated`() throws {
    let document = try TemporaryDocument(
      #"{"orders": [{"name": "A", "total": 1}, {"name": "B", "total": 2.5}, null]}"#)
    let end = try KvoProcess(
      "watch", "--once", document.path, "orders.@sum.total", "orders.@count", "orders.name"
    ).end()
    #expect(
      end.lines == [
        "orders.@sum.total  3.5", "orders.@count      3", #"orders.name        ["A","B",null]"#,
      ])
    #expect(end.messages == [])
    #expect(end.status == 0)
  }

  @Test func `The example in the README works`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let example = folder.appending(path: "../../Examples/orders.json").standardizedFileURL.path
    let end = try KvoProcess("watch", "--once", example, "orders.@sum.total", "orders.@count").end()
    #expect(end.lines == ["orders.@sum.total  125", "orders.@count      3"])
    #expect(end.status == 0)
  }

  @Test func `A missing key is null, with a warning that names its neighbour`() throws {
    let document = try TemporaryDocument(#"{"title": "A"}"#)
    let end = try KvoProcess("watch", "--once", "--json", document.path, "titel").end()
    #expect(end.lines == [#"{"keyPath":"titel","value":null}"#])
    #expect(
      end.messages == [
        "kvo: \(document.path): there is no 'titel', so it is null until it is added. "
          + "Did you mean 'title'?"
      ])
    #expect(end.status == 0)
  }

  @Test func `A message does not pass on what a terminal would obey`() throws {
    let document = try TemporaryDocument(#"{"tit\u001ble": "A"}"#)
    let end = try KvoProcess("watch", "--once", document.path, "title").end()
    #expect(end.messages.first?.hasSuffix("Did you mean 'tit\u{fffd}le'?") == true)
  }

  @Test(arguments: [
    (
      "title.length",
      "is not a value, because 'title' is a string and has no keys. Did you mean 'title'?"
    ),
    ("a..b", "Put a key on both sides of each dot. Did you mean 'a.b'?"),
    ("", "the key path is empty. Name a key."), (".", "Put a key on both sides of each dot."),
    ("self", "Name one of its keys."),
    ("tags.@cuont", "there is no collection operator '@cuont'. Did you mean '@count'?"),
    ("tags.@sum", "Append the key path of its operands, or 'self' for the elements themselves."),
    (
      "tags.count",
      "is not a value, because 'tags' is an array that holds a string and has no keys. "
        + "Did you mean 'tags.@count'?"
    ),
    (
      "title.@count",
      "is not a value, because '@count' takes an array and 'title' is a string. Did you mean 'title'?"
    ), ("tags.@sum.self", "and \"a\" is of type String. Name a key whose values are numbers."),
    (
      "@count",
      "'@count' takes a collection, and 'self' holds KeyValueDictionary. Put the operator after a "
        + "collection."
    ),
  ])
  func `A key path that can never work is status 64`(keyPath: String, sentence: String) throws {
    let document = try TemporaryDocument(#"{"title": "A", "tags": ["a"]}"#)
    for options in [["--once"], []] {
      let end = try KvoProcess(arguments: ["watch", document.path, keyPath] + options).end()
      #expect(end.messages.last?.hasSuffix(sentence) == true, "\(end.messages)")
      #expect(end.lines == [])
      #expect(end.status == 64)
    }
  }

  @Test(arguments: [
    (
      "[1]", 65,
      "the document is an array, which has no keys to watch. "
        + "Its outermost value must be an object, { … }."
    ),
    (
      "{\"a\": 1,\n\"b\" 2}", 65,
      "not JSON: line 2, column 5: expected ':' after the key \"b\", found '2'."
    ),
    (nil, 66, "there is no such file."),
  ])
  func `A document that cannot be read ends --once`(text: String?, status: Int32, sentence: String)
    throws
  {
    let document = try TemporaryDocument(text)
    let end = try KvoProcess("watch", "--once", document.path, "a").end()
    #expect(end.messages == ["kvo: \(document.path): \(sentence)"])
    #expect(end.lines == [])
    #expect(end.status == status)
  }

  @Test func `A directory is no document`() throws {
    let end = try KvoProcess("watch", "--once", "/", "a").end()
    #expect(end.messages == ["kvo: /: is a directory, not a file with a document."])
    #expect(end.status == 66)
  }

  @Test func `Wrong usage is status 64, on standard error`() throws {
    let end = try KvoProcess("watch", "--jsno", "a", "b").end()
    #expect(end.lines == [])
    #expect(end.messages.first == "kvo: watch has no option '--jsno'. Did you mean '--json'?")
    #expect(end.status == 64)
  }

  @Test func `Help and version go to standard output`() throws {
    let help = try KvoProcess("--help").end()
    #expect(help.lines.contains { $0.hasPrefix("usage: kvo watch") })
    #expect(help.status == 0)
    let version = try KvoProcess("--version").end()
    #expect(version.lines.first?.hasPrefix("kvo ") == true)
    #expect(version.messages == help.messages)
  }

  @Test(.disabled(if: isPortLeftOut, "The package is built without it."))
  func `A port is the work of the executable beside the command`() throws {
    let list = try KvoProcess("port", "--list").end()
    #expect(list.lines.contains { $0.hasPrefix("observed-class ") })
    #expect(list.status == 0)
    let wrong = try KvoProcess("port", "--jsno", "a").end()
    #expect(wrong.messages.first == "kvo port: port has no option '--jsno'. Did you mean '--json'?")
    #expect(wrong.status == 64)
  }

  @Test func `Without that executable, the command says how to build it`() throws {
    let document = try TemporaryDocument()
    let copy = document.directory.appending(path: "kvo")
    // By a process of its own: one that another test starts would inherit a file that is open for writing, which
    // cannot be executed.
    let original = try KvoProcess.executable()
    let copying = try KvoProcess(
      URL(filePath: "/bin/cp"), arguments: [original.path, copy.path]
    ).end()
    #expect(copying.status == 0)
    let end = try KvoProcess(copy, arguments: ["port", "--list"]).end()
    #expect(
      end.messages == [
        "kvo: port needs the executable 'kvo-port' beside '\(document.directory.path)'. "
          + "Build it with 'swift build --product kvo-port'."
      ])
    #expect(end.lines == [])
    #expect(end.status == 69)
  }

  @Test func `The tour runs without colours in a pipe`() throws {
    let end = try KvoProcess("tour").end()
    #expect(end.lines.contains("   ▸ pathChanged: the editor is gone"))
    #expect(end.lines.allSatisfy { !$0.contains("\u{1b}") })
    #expect(end.messages == [])
    #expect(end.status == 0)
  }
}

/// Whether the package is built without `kvo port`, as `Package.swift` reads it.
private let isPortLeftOut = ProcessInfo.processInfo.environment["WITHOUT_SYNTAX_TOOLS"] != nil
