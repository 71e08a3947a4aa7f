import Testing

@testable import KeyValueObservingCore

@Suite("How types and values are spelled")
struct SpellingTests {
  private struct Box<Value> {}

  @Test("A type is spelled as one writes it, without its module")
  func types() {
    let spellings: [(Any.Type, String)] = [
      (Int.self, "Int"), (Author.self, "Author"), (Author?.self, "Author?"), (Int??.self, "Int??"),
      ([Author].self, "[Author]"), ([Int?].self, "[Int?]"), ([[Int]]?.self, "[[Int]]?"),
      ([String: [Author?]].self, "[String: [Author?]]"), (Set<Int>.self, "Set<Int>"),
      (Any.self, "Any"), (Any?.self, "Any?"), ([Any?].self, "[Any?]"),
      (Box<Int>.self, "Box<Int>"), (AnyObject?.self, "AnyObject?"),
      ((() -> Void)?.self, "(() -> ())?"),
    ]
    for (type, expected) in spellings { #expect(spelling(of: type) == expected) }
  }

  @Test("A value is shown in a few words, and text in quotes")
  func values() {
    #expect(shown(nil) == "nil")
    #expect(shown(300) == "300")
    #expect(shown("forty") == "\"forty\"")
    #expect(shown(Character("a")) == "\"a\"")
    #expect(shown(String(repeating: "a", count: 81)) == "\"\(String(repeating: "a", count: 80))…\"")
    #expect(shown([1, 2]) == "[1, 2]")
  }
}
