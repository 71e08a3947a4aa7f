import Testing

@testable import KeyValueObservingMacros

@Suite struct StorageTests {
  @Test("The storage is private and keeps what is said of the value", arguments: storageRows)
  func storage(row: Row) {
    let made = Expansion(of: row.source, inClass: "final class Article")
    #expect(made.storage == row.expansion)
  }

  @Test("The storage of a class with subclasses is final")
  func openEnded() {
    let made = Expansion(of: "weak var editor: Person?", inClass: "open class Article")
    #expect(made.storage == "private final weak var _$editor: Person?")
  }

  @Test(
    "Only what is known to be a number or a reference is not mutated in place",
    arguments: [
      ("var count = 1", false), ("var offset = -1.5", false), ("var isRead = true", false),
      ("var count: UInt8?", false), ("var ratio: Swift.Double", false),
      ("weak var editor: Person?", false), ("unowned(unsafe) var owner: Person", false),
      ("var title = \"\"", true), ("var tags: [Int] = []", true), ("var author: Person?", true),
      ("var rating = Int(1)", true),
    ])
  func modify(variable: String, isMutated: Bool) {
    let made = Expansion(of: variable, inClass: "final class Article")
    #expect(made.text.contains("_modify") == isMutated)
  }

  @Test(
    "The value observers get is the storage's unless a subclass can override the property",
    arguments: [
      ("class Article", "var count = 0", false),
      ("open class Article", "public var count = 0", false),
      ("class Article", "private(set) var count = 0", false),
      ("class Article", "final var count = 0", true),
      ("class Article", "private var count = 0", true),
      ("final class Article", "var count = 0", true),
    ])
  func read(subject: String, variable: String, isDirect: Bool) {
    let made = Expansion(of: variable, inClass: subject)
    let object = "(unsafe Swift.unsafeDowncast($0, to: Article.self))"
    #expect(made.text.contains("read: { \(object).count }") == !isDirect)
    #expect(made.text.contains("read: { \(object)._$count }") == isDirect)
  }
}

extension Expansion {
  /// Expands one variable, which the macro of the class would have marked.
  init(of variable: String, inClass subject: String) {
    self.init(
      of: "\(subject) {\n  @_$KeyValueStored \(variable)\n}", [KeyValueStoredMacro.self]
    )
  }

  /// The declaration after the accessors.
  var storage: String {
    let declarations = text.split(separator: "\n\n")
    return String(declarations.last?.dropLast() ?? "").trimmed
  }
}

private let storageRows = [
  Row("A type", "var tags: [String]", becomes: "private var _$tags: [String]"),
  Row("A value", "var tags = [1]", becomes: "private var _$tags = [1]"),
  Row("A type and a value", "var tags: [Int] = []", becomes: "private var _$tags: [Int] = []"),
  Row(
    "An implicitly unwrapped type", "var owner: Person!", becomes: "private var _$owner: Person!"),
  Row("Ownership", "unowned(unsafe) var a: A", becomes: "private unowned(unsafe) var _$a: A"),
  Row(
    "Isolation", "@MainActor nonisolated(unsafe) var a: A",
    becomes: "@MainActor private nonisolated(unsafe) var _$a: A"),
  Row(
    "Deprecation, for the sake of its type", "@available(*, deprecated) var a: A",
    becomes: "@available(*, deprecated) private var _$a: A"),
  Row(
    "Neither access nor names for others",
    "@objc(name) @_spi(S) public private(set) final var a: A",
    becomes: "private var _$a: A"),
  Row("A name in backticks", "var `default`: Int", becomes: "private var _$default: Int"),
  Row(
    "A name that needs backticks", "var `sub title`: Int",
    becomes: "private var `_$sub title`: Int"),
]
