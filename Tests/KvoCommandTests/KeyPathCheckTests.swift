import Testing

@testable import KvoCommand

@Suite struct KeyPathCheckTests {
  private let document: JSONObject = [
    "title": .string("A"), "tags": .array([]), "editor": .null,
    "author": .object(["name": .string("Ada"), "address": .object([:])]),
    "words": .array([.null, .string("a")]),
    "orders": .array([
      .object([
        "id": .number(.integer(1)), "lines": .array([.object(["price": .number(.integer(1))])]),
      ]), .null,
      .object([
        "id": .number(.integer(2)), "buyer": .object(["name": .string("A")]), "lines": .array([]),
      ]),
    ]),
  ]

  @Test(arguments: [
    "title", "tags", "editor", "editor.name", "author.name", "self.author.name", "tags.count",
    "editor.@sum.total", "orders.id", "orders.buyer", "orders.buyer.name", "orders.lines.price",
    "orders.@count", "orders.@sum.id", "orders.@max.lines.@sum.price", "words.@count", "words",
    "words.@max.self", "orders.@count.x",
  ])
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
    ("title.length", "title", "a string"),
    ("words.count", "words", "an array that holds a string"),
    ("orders.id.x", "orders.id", "a number"),
    ("orders.buyer.name.first", "orders.buyer.name", "a string"),
    ("author.name.first.x", "author.name", "a string"),
  ])
  func `A path through a value without keys ends there`(keyPath: String, link: String, kind: String)
  {
    #expect(KeyPathCheck(keyPath, in: document) == .noKeys(link: link, kind: kind))
  }

  @Test(arguments: [
    ("orders.di", "orders", "di", "orders.id"), ("orders.@sum.totl", "orders", "totl", nil),
    ("orders.lines.@sum.prise", "orders.lines", "prise", "orders.lines.@sum.price"),
    ("orders.buyer.nmae", "orders.buyer", "nmae", "orders.buyer.name"),
    ("orders.@max.lines.@min.pice", "orders.lines", "pice", "orders.@max.lines.@min.price"),
  ])
  func `A key that no element has is named with its nearest neighbour`(
    keyPath: String, link: String, key: String, suggestion: String?
  ) {
    #expect(
      KeyPathCheck(keyPath, in: document)
        == .missingInElements(link: link, key: key, suggestion: suggestion))
  }

  @Test(arguments: [
    ("title.@count", "title", "@count", "a string"),
    ("author.@sum.x", "author", "@sum", "an object"),
    ("orders.@sum.id.@count", "orders.id", "@count", "a number"),
  ])
  func `An operator on what is no array leads nowhere`(
    keyPath: String, link: String, operatorName: String, kind: String
  ) {
    let check = KeyPathCheck(keyPath, in: document)
    #expect(check == .noArray(link: link, operatorName: operatorName, kind: kind))
    #expect(check.leadsNowhere)
  }

  @Test func `A path to objects in an array says what is received of them`() {
    #expect(KeyPathCheck("orders", in: document) == .endsAtElements(key: "id"))
  }

  @Test func `A path to an object says what is received of it`() {
    #expect(KeyPathCheck("author", in: document) == .endsAtObject)
  }
}
