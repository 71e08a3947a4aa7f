import Testing

@testable import KeyValueObservingMacros

@Suite struct SetterReachTests {
  @Test(
    "P42: a setter that is less accessible than the getter, or private, is not for strings",
    arguments: [
      ("public", "public internal(set) var", true),
      ("public", "public package(set) var", true),
      ("public", "package internal(set) var", true),
      ("open", "open public(set) var", false),
      ("open", "public var", false),
      ("public", "var", false),
      ("public", "public internal(set) override var", true),
      ("package", "public package(set) var", false),
      ("package", "public internal(set) var", true),
      ("internal", "public internal(set) var", false),
      ("internal", "private(set) var", true),
      ("internal", "fileprivate(set) var", true),
      ("internal", "fileprivate var", true),
      ("private", "private var", true),
      ("private", "private(set) var", true),
      ("private", "var", false),
    ])
  func reach(ofClass: String, declaration: String, isReadOnly: Bool) {
    let made = Expansion(
      of: """
        @KeyValueObservable \(ofClass) class Article {
          \(declaration) title: Int { get { 1 } set {} }
        }
        """,
      [KeyValueObservableMacro.self])
    #expect(made.text.contains("isReadOnly: true") == isReadOnly)
  }
}
