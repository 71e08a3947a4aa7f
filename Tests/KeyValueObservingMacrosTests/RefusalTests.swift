import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

@testable import KeyValueObservingMacros

@Suite struct RefusalTests {
  @Test(
    "A declaration that is not a class is rejected",
    arguments: ["struct", "enum", "actor", "protocol"])
  func kinds(kind: String) {
    let made = Expansion(of: "@KeyValueObservable \(kind) Article {\n}")
    #expect(
      made.messages == [
        "'@KeyValueObservable' can only be applied to a class, not to '\(kind)'; declare a class "
          + "instead"
      ]
    )
    #expect(made.text == "\(kind) Article {\n}")
  }

  @Test("A class is rejected with a reason, and its source is unchanged", arguments: classes)
  func refusesClass(refused: Refused) {
    refused.check()
    let text = Expansion(of: refused.source).text
    #expect(refused.source.hasSuffix(text.drop { $0 != "\n" }))
  }

  @Test("A private class inside another type is rejected, unless it inherits the conformance")
  func refusesNestedPrivate() {
    func source(_ access: String) -> String {
      "enum Shelf {\n  @KeyValueObservable \(access) final class Article {\n  }\n}"
    }
    let made = Expansion(of: source("private"))
    #expect(
      made.messages == [
        "'@KeyValueObservable' cannot extend private class 'Article' inside another type; declare "
          + "it 'fileprivate'"
      ]
    )
    #expect(made.fixedSource == source("fileprivate"))
    #expect(Expansion(of: source("fileprivate")).messages.isEmpty)
    #expect(Expansion(of: source("private"), inheritsConformance: true).messages.isEmpty)
    #expect(Expansion(of: "@KeyValueObservable private class Article {\n}").messages.isEmpty)
  }

  @Test("A variable with another isolation than its class is rejected")
  func refusesNonisolatedVariable() {
    let start = "@MainActor @KeyValueObservable class Article {\n  "
    let made = Expansion(of: start + "nonisolated(unsafe) var view = 1\n}")
    #expect(made.messages == [isolatedOtherwise])
    #expect(made.fixedSource == start + "@KeyValueIgnored nonisolated(unsafe) var view = 1\n}")
  }

  @Test(
    "A variable is rejected with a reason, and with a fix-it if there is one", arguments: variables)
  func refusesVariable(refused: Refused) { refused.checkMember() }

  @Test(
    "A variable of a noncopyable generic parameter is rejected",
    arguments: ["value: Value", "value: Value? = nil", "value: Value!"])
  func refusesNoncopyableVariable(variable: String) {
    let start = "@KeyValueObservable final class Box<Value: ~Copyable> {\n  "
    let made = Expansion(of: start + "var \(variable)\n  let constant: Value\n}")
    #expect(
      made.messages == [
        "property 'value' cannot be observed because its value cannot be copied; mark the property "
          + "'@KeyValueIgnored'"
      ])
    #expect(
      made.fixedSource == start + "@KeyValueIgnored var \(variable)\n  let constant: Value\n}")
    let copyable = "@KeyValueObservable final class Box<Value> {\n  var \(variable)\n}"
    #expect(Expansion(of: copyable).messages.isEmpty)
  }

  @Test("A name that expansions cannot write or that they use is rejected", arguments: names)
  func refusesName(refused: Refused) { refused.checkMember() }

  @Test(
    "Several variables are rejected once, though the compiler expands the attribute for each",
    arguments: ["var a, b: Int", "var (a, b) = (1, 2)", "let `Type` = 1, b = 2"])
  func refusesSeveralOnce(member: String) {
    func attributeMessages(in source: String) -> [String] {
      let context = BasicMacroExpansionContext()
      let subject = Parser.parse(source: source).statements.first?.item.as(ClassDeclSyntax.self)
      for _ in 0..<2 {
        _ = subject.map {
          KeyValueObservableMacro.expansion(
            of: "@KeyValueObservable", attachedTo: $0.detached,
            providingAttributesFor: DeclSyntax("\(raw: member)"), in: context)
        }
      }
      return context.diagnostics.map(\.message)
    }
    let source = "@KeyValueObservable final class Article {\n  \(member)\n}"
    #expect(attributeMessages(in: source) == [])
    let messages = Expansion(of: source).messages
    #expect(messages.count == 1)
    // The expansion of the class does not know whether a condition holds.
    let conditional = source.replacing(member, with: "#if DEBUG\n\(member)\n#endif")
    #expect(attributeMessages(in: conditional) == messages + messages)
    #expect(Expansion(of: conditional).messages == [])
  }

  @Test("A variable without a type is left as it is, so that the compiler reports only that")
  func leavesVariableWithoutType() {
    let made = Expansion(of: "@KeyValueObservable final class Article {\n  var title\n}")
    #expect(!made.text.contains("_$KeyValueStored") && !made.text.contains("_$title"))
    #expect(made.messages == [])
  }

  @Test("A fix-it quotes a name without its backticks")
  func quotesOnce() {
    let made = Expansion(of: "@KeyValueObservable class Article {\n  var `self` = 1\n}")
    #expect(
      made.diagnostics.flatMap(\.fixIts).map(\.message.message) == [
        "mark 'self' '@KeyValueIgnored'"
      ])
  }

  @Test("A dependency is rejected with a reason", arguments: dependencies)
  func refusesDependency(refused: Refused) { refused.check() }

  @Test("A dependency is accepted in a class that may be annotated under a condition")
  func acceptsDependency() {
    let member = "@KeyValueDependent(on: \"title\") var slug: Int { 1 }"
    let made = Expansion(of: "#if X\n@KeyValueObservable\n#endif\nclass Article {\n  \(member)\n}")
    #expect(made.messages.isEmpty)
  }

  @Test("A function for one key that is never called is warned of", arguments: unasked)
  func warnsOfAnswer(refused: Refused) {
    refused.checkMember()
    let made = Expansion(of: "@KeyValueObservable final class Article {\n  \(refused.source)\n}")
    #expect(made.diagnostics.map(\.diagMessage.severity) == [.warning])
  }

  @Test("A subclass that calls super uses the functions for single keys")
  func acceptsAnswer() {
    let source = """
      @KeyValueObservable class Article: Page {
        override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
          super.automaticallyNotifiesObservers(forKey: key)
        }
        class func automaticallyNotifiesObserversOfSlug() -> Bool { false }
      }
      """
    #expect(Expansion(of: source, inheritsConformance: true).messages.isEmpty)
    let silent = source.replacing("super.automatically", with: "Other.automatically")
    #expect(Expansion(of: silent, inheritsConformance: true).messages.count == 1)
  }

  @Test(
    "A variable without a value of its own, or an ignored one, is accepted", arguments: accepted)
  func accepts(member: String) {
    let made = Expansion(of: "@KeyValueObservable final class Article {\n  \(member)\n}")
    #expect(made.messages.isEmpty)
  }
}

/// One row of a table of refusals.
struct Refused: CustomTestStringConvertible, Sendable {
  let source: String
  let message: String
  /// The source with the fix-it applied, or as it was where there is none.
  let fixed: String

  init(_ source: String, _ message: String, fixed: String? = nil) {
    self.source = source
    self.message = message
    self.fixed = fixed ?? source
  }

  var testDescription: String { source }

  func check() {
    check(Expansion(of: source), fixed: fixed)
  }

  /// Checks a member, which the table shows without the class around it.
  func checkMember() {
    func inClass(_ member: String) -> String {
      "@KeyValueObservable final class Article {\n  // A comment that stays.\n  \(member)\n}"
    }
    check(Expansion(of: inClass(source)), fixed: inClass(fixed))
  }

  private func check(_ made: Expansion, fixed: String) {
    #expect(made.messages == [message])
    #expect(made.fixedSource == fixed)
  }
}

extension Expansion {
  var messages: [String] { diagnostics.map(\.message) }
}

private let classes = [
  Refused(
    "@Observable @KeyValueObservable final class Article {\n  var title = \"\"\n}",
    "'@Observable' and '@KeyValueObservable' cannot both replace the accessors of 'Article'; "
      + "remove '@Observable' and declare conformance to 'Observable'"
  ),
  Refused(
    "@KeyValueObservable final class Row<each Cell> {\n  var count = 0\n}",
    "'@KeyValueObservable' does not support parameter pack 'each Cell'; use generic parameters "
      + "that are not packs"
  ),
]

private let variables = [
  Refused(
    "lazy var words = split()",
    "'lazy' property 'words' cannot be observed; initialize it in 'init' or mark it "
      + "'@KeyValueIgnored'",
    fixed: "@KeyValueIgnored lazy var words = split()"
  ),
  Refused(
    "@Published var title = \"\"",
    "property 'title' cannot be observed because '@Published' stores its value; remove the "
      + "attribute or mark the property '@KeyValueIgnored'",
    fixed: "@KeyValueIgnored @Published var title = \"\""
  ),
  Refused(
    "var shape: [some Shape] = [Circle()]",
    "type of 'shape' must be written out in a '@KeyValueObservable' class; replace the opaque "
      + "type or mark the property '@KeyValueIgnored'",
    fixed: "@KeyValueIgnored var shape: [some Shape] = [Circle()]"
  ),
  Refused(
    "var entries = Mutex<[Int]>([])",
    "property 'entries' cannot be observed because its value cannot be copied; mark the property "
      + "'@KeyValueIgnored'",
    fixed: "@KeyValueIgnored var entries = Mutex<[Int]>([])"
  ),
  Refused(
    "@MainActor public var view = 1",
    isolatedOtherwise,
    fixed: "@KeyValueIgnored @MainActor public var view = 1"
  ),
  Refused(
    "var (a, b) = (1, 2)",
    "pattern '(a, b)' cannot be observed; declare each variable on its own"
  ),
  Refused(
    "private var a = 1, b = 2",
    "variables 'a', 'b' must be declared on their own in a '@KeyValueObservable' class",
    fixed: "private var a = 1\n  private var b = 2"
  ),
  Refused(
    "var a, b: Int, c = 1",
    "variables 'a', 'b', 'c' must be declared on their own in a '@KeyValueObservable' class",
    fixed: "var a: Int\n  var b: Int\n  var c = 1"
  ),
]

private let names =
  ["let `Type` = 1", "var `Protocol`: Int { 1 }", "var `Self` = 1", "var `self` = 1"].map {
    source in
    let name = source.split(separator: "`")[1]
    return Refused(
      source,
      "property '\(name)' cannot be observed because '\(name)' has another meaning in a key path; "
        + "rename it or mark it '@KeyValueIgnored'",
      fixed: "@KeyValueIgnored " + source
    )
  }
  + [
    ("var Swift = 1", "Swift"), ("static let KeyValueObserving = 1", "KeyValueObserving"),
    ("@KeyValueIgnored var Article: Int { 1 }", "Article"),
    ("var keyValueRegistrar = 1", "keyValueRegistrar"),
  ].map { source, name in
    Refused(
      source,
      "property name '\(name)' is reserved in a '@KeyValueObservable' class; rename the property"
    )
  }

private let dependencies = [
  Refused(
    "struct Article {\n  @KeyValueDependent(on: \"title\") var slug: Int { 1 }\n}",
    outsideClass
  ),
  Refused(
    "extension Article {\n  @KeyValueDependent(on: \"title\") var slug: Int { 1 }\n}",
    outsideClass
  ),
  Refused(
    "class Article {\n  @KeyValueDependent(on: \"title\") func slug() {}\n}",
    outsideClass
  ),
  Refused(
    "class Article {\n  @KeyValueDependent(on: \"title\") static var slug: Int { 1 }\n}",
    "type property 'slug' cannot be observed; make it an instance property or remove "
      + "'@KeyValueDependent'"
  ),
  Refused(
    "class Article {\n  @KeyValueDependent(on: \"title\", key) var slug: Int { 1 }\n}",
    "'@KeyValueDependent' requires string literals without interpolation, not 'key'; write out the "
      + "key path or override 'keyPathsForValuesAffectingValue(forKey:)'"
  ),
  Refused(
    "class Article {\n  @KeyValueDependent(on: \"a.\\(key)\") var slug: Int { 1 }\n}",
    "'@KeyValueDependent' requires string literals without interpolation, not '\"a.\\(key)\"'; "
      + "write out the key path or override 'keyPathsForValuesAffectingValue(forKey:)'"
  ),
  Refused(
    "class Article {\n  @KeyValueDependent() var slug: Int { 1 }\n}",
    "'@KeyValueDependent' requires a key path; write '@KeyValueDependent(on: \"title\")' or "
      + "remove it"
  ),
  Refused(
    "class Article: Page {\n  @KeyValueDependent(on: \"title\") var slug: Int { 1 }\n}",
    "'@KeyValueDependent' requires '@KeyValueObservable' on 'Article'; add it or override "
      + "'keyPathsForValuesAffectingValue(forKey:)'"
  ),
]

private let unasked = [
  Refused(
    """
    var slug = ""
      static func keyPathsForValuesAffectingSulg() -> Set<String> { ["title"] }
    """,
    "'keyPathsForValuesAffectingSulg()' is never called because the body of 'Article' has no "
      + "property 'sulg'; rename it or remove it"
  ),
  Refused(
    """
    static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }
      static func keyPathsForValuesAffectingSlug() -> Set<String> { ["title"] }
    """,
    "'keyPathsForValuesAffectingSlug()' is never called because the body of 'Article' has no "
      + "property 'slug'; rename it or remove it"
  ),
  Refused(
    """
    class func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }
      class var automaticallyNotifiesObserversOfSlug: Bool { false }
    """,
    "'automaticallyNotifiesObserversOfSlug' is never called because 'Article' declares "
      + "'automaticallyNotifiesObservers(forKey:)' for all keys; call it there or remove one of "
      + "the two"
  ),
]

private let isolatedOtherwise =
  "property 'view' must have the isolation of 'Article'; isolate both alike or mark the property "
  + "'@KeyValueIgnored'"

private let outsideClass =
  "'@KeyValueDependent' can only be applied to a property in the body of a '@KeyValueObservable' "
  + "class; move the property there or override 'keyPathsForValuesAffectingValue(forKey:)'"

private let accepted = [
  "static let shared = 1",
  "static let `Type` = 1, `self` = 2",
  "@KeyValueIgnored var `Type` = 1",
  "let keyValueRegistrar = KeyValueRegistrar()",
  "var `init` = 1, type = 1, `super`: Int { 1 }".replacing(", ", with: "; var "),
  "class var count: Int { 1 }",
  "private static var context = 0",
  "static var a = 1, b = 2",
  "@Published static var title = 1",
  "let a = 1, b = 2",
  "let shape: some Shape = Circle()",
  "var shape: some Shape { Circle() }",
  "@ViewBuilder var body: Int { 1 }",
  "@KeyValueIgnored lazy var words = 1",
  "@KeyValueIgnored @Published var title = 1",
  "@KeyValueIgnored static var count = 1",
  "@available(*, deprecated) @_spi(Tests) var title = 1",
  "var slug: Int { 1 }; static func keyPathsForValuesAffectingSlug() -> Set<String> { [] }",
  """
  var slug: Int { 1 }
  static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }
  static func keyPathsForValuesAffectingSlug() -> Set<String> { ["title"] }
  """,
  """
  #if DEBUG
    var slug = 1
  #endif
  class var automaticallyNotifiesObserversOfSlug: Bool { false }
  """,
  """
  static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "slug" ? keyPathsForValuesAffectingSlug() : []
  }
  static func keyPathsForValuesAffectingSlug() -> Set<String> { ["title"] }
  """,
]
