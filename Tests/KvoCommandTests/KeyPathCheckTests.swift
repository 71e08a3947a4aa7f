import Testing

@testable import KvoCommand

@Suite struct KeyPathCheckTests {
  private let document: JSONObject = [
    "title": .string("A"), "tags": .array([]), "editor": .null,
    "author": .object(["name": .string("Ada"), "address": .object([:])]),
  ]

  @Test(arguments: ["title", "tags", "editor", "editor.name", "author.name", "self.author.name"])
  func `A path to what is there, or behind null, works`(keyPath: String) {
    #expect(KeyPathCheck(keyPath, in: document) == .works)
  }

  @Test(arguments: [
    ("titel", "titel", "title"), ("auhtor.name", "auhtor", "author.name"),
    ("author.nmae", "author.nmae", "author.name"), ("subtitle.x.y", "subtitle", nil),
    ("author.adress.city", "author.adress", "author.address.city"),
  ])
  func `A key that is missing is named with its nearest neighbour`(
    keyPath: String, key: String, suggestion: String?
  ) {
    #expect(KeyPathCheck(keyPath, in: document) == .missing(key: key, suggestion: suggestion))
  }

  @Test(arguments: [
    ("title.length", "title", "a string"), ("tags.count", "tags", "an array"),
    ("author.name.first.x", "author.name", "a string"),
  ])
  func `A path through a value without keys ends there`(keyPath: String, link: String, kind: String)
  {
    #expect(KeyPathCheck(keyPath, in: document) == .noKeys(link: link, kind: kind))
  }

  @Test func `A path to an object says what is heard of it`() {
    #expect(KeyPathCheck("author", in: document) == .endsAtObject)
  }
}
