import Foundation
import Testing

@testable import KvoPort

@Suite("Warnings")
struct WarningTests {
  @Test(arguments: try Row.all(in: "Warnings.txt"))
  func `A sentence names the remedy, at the place`(row: Row) throws {
    let messages = try Program(row["source"]).port("--check", more: row.options).messages.dropLast()
    let words = row.title.split(separator: " ")
    let beginning = "a.swift:\(words[1]) \(words[2]): [\(words[0])] "
    let sentence = row["sentence"].dropLast()
    #expect(
      messages.contains { $0.hasPrefix(beginning) && $0.contains(sentence) }, "\(Array(messages))")
  }

  @Test(arguments: try Row.all(in: "NoWarnings.txt"))
  func `Code that does not observe gets no warning`(row: Row) throws {
    let run = try Program(row["source"]).port("--check")
    #expect(run.messages.count == 1, "\(run.messages)")
    #expect(run.messages.last?.hasPrefix("0 of 1 file would be rewritten, 0 sites, ") == true)
  }

  @Test("The generic parameter of a wrapper can be observed, and is passed on without a warning")
  func genericWrapper() throws {
    let program = try Program(
      """
      class W<Root: NSObject> { init(_ o: Root) { _ = o.observe(\\.description) { _, _ in } } }
      extension W { static func f(_ o: Root) -> W { W(o) } }
      """)
    #expect(!program.port("--check").messages.contains { $0.contains("[any-object]") })
  }

  @Test("A lock is not held after it is released", arguments: ["_exit", "_enter"])
  func releasedLock(end: String) throws {
    let program = try Program(
      """
      class A: NSObject { @objc dynamic var a = 0
      var b: Int { get { a } set { objc_sync_enter(self); objc_sync\(end)(self); a = newValue } } }
      """)
    let isWarned = program.port("--check").messages.contains { $0.contains("[held-lock]") }
    #expect(isWarned == (end == "_enter"))
  }

  @Test("A number is cast without a warning where the key is not that of an enumeration")
  func numberBesideEnumeration() throws {
    let program = try Program(
      """
      @objc enum State: Int { case idle }
      class A: NSObject { @objc dynamic var state = State.idle; @objc dynamic var count = 0 }
      func f(_ a: A) { a.addObserver(o, forKeyPath: "state", options: .new, context: nil) }
      func g(_ keyPath: String?, _ change: [NSKeyValueChangeKey: Any]?) {
      guard change?[.kindKey] as? UInt == 1 else { return }
      if keyPath == "count" { print(change?[.newKey] as? Int ?? 0) } }
      """)
    #expect(!program.port("--check").messages.contains { $0.contains("[changed-value-cast]") })
  }

  @Test("A key that only a subclass has is no key that is missing", arguments: ["radius", "size"])
  func keyOfSubclass(key: String) throws {
    let program = try Program(
      """
      class Shape: NSObject { @objc dynamic var name = "" }
      class Circle: Shape { @objc dynamic var radius = 0.0 }
      func f(_ s: Shape) { s.setValue(1.0, forKey: "\(key)"); s.setValue("a", forKey: "name") }
      """)
    let isWarned = program.port("--check").messages.contains { $0.contains("has no key") }
    #expect(isWarned == (key == "size"))
  }

  @Test("Every sentence has a test, and every line names the page that describes it")
  func sentences() throws {
    var messages = ""
    for row in try Row.all(in: "Warnings.txt") {
      let lines = try Program(row["source"]).port("--check", more: row.options).messages.dropLast()
      #expect(lines.allSatisfy { $0.hasSuffix(")") && $0.contains(" (see '") }, "\(Array(lines))")
      messages += lines.joined()
    }
    // These need files of their own, or are about faults of the command.
    let elsewhere: Set<Substring> = ["conflict", "objectiveCFile"]
    for (name, part) in try Self.sentences() where !elsewhere.contains(name) {
      let text = part.replacing("\\\\", with: "\\")
      let isFound = messages.contains(text.replacing(/"\)?$/, with: ""))
      #expect(isFound, "\(name): \(part)")
    }
  }

  /// The names of the sentences, with the longest part of each that no value interrupts.
  private static func sentences() throws -> [(name: Substring, part: Substring)] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/KvoPort/Report").standardizedFileURL
    return try ["Messages.swift", "Messages+Frameworks.swift"].flatMap { file in
      let text = String(
        decoding: try Data(contentsOf: folder.appending(path: file)), as: UTF8.self)
      return text.replacing(/"\s*\+ "/, with: "").replacing("\\\"", with: "\"")
        .matches(of: /static (?:func|let) (\w+)[^"]*((?:.|\n)*?)(?=\n  static|\n  \/\/|$)/)
        .map { match in
          let parts = match.2.split(separator: /\\\([^()]*\)|\n/)
          let longest = parts.max { $0.count < $1.count } ?? ""
          return (match.1, longest.trimmingPrefix(/\s*"/))
        }
    }
  }

  @Test("Every pattern that is left to a person has a test")
  func all() throws {
    let tested = Set(try Row.all(in: "Warnings.txt").map { $0.title.prefix { $0 != " " } })
    let warnings = PatternName.allCases.drop { $0 != .databaseClass }.filter { $0 != .objectiveC }
    #expect(warnings.filter { !tested.contains($0.rawValue[...]) } == [])
  }
}
