import Foundation
import Testing

@testable import KvoPort

@Suite("Text")
struct TextTests {
  @Test("Line endings and tabs of a file stay, also in lines that are added")
  func carriageReturns() throws {
    let text =
      "import Foundation\r\nclass A: NSObject {\r\n\t@objc dynamic var a = 0\r\n\tvar b = 1, c = 2\r\n}\r\n"
    #expect(
      try Program(text).ported().text
        == "import Foundation\r\nimport KeyValueObservingFoundation\r\n@KeyValueObservable\r\n"
        + "class A: NSObject {\r\n\tvar a = 0\r\n\t@KeyValueIgnored var b = 1\r\n"
        + "\t@KeyValueIgnored var c = 2\r\n}\r\n")
  }

  @Test("A setter is indented with the file's own indentation")
  func tabs() throws {
    let text = """
      class A: NSObject {
      \t@objc dynamic var a: Int {
      \t\tget { 1 }
      \t\tset {
      \t\t\tprint(newValue)

      \t\t\tprint(2)
      #if DEBUG
      \t\t\tprint(3)
      #endif
      \t\t}
      \t}
      }
      """
    let expected = """
      import KeyValueObservingFoundation

      @KeyValueObservable
      class A: NSObject {
      \tvar a: Int {
      \t\tget { 1 }
      \t\tset {
      \t\t\twithMutation(of: \\.a) {
      \t\t\t\tprint(newValue)

      \t\t\t\tprint(2)
      #if DEBUG
      \t\t\t\tprint(3)
      #endif
      \t\t\t}
      \t\t}
      \t}
      }
      """
    #expect(try Program(text).ported().text == expected)
  }

  @Test("A file without a final newline stays one")
  func noFinalNewline() throws {
    let program = try Program("import Foundation; class A: NSObject { @objc dynamic var a = 0 }")
    #expect(
      try program.ported().text
        == "import Foundation; import KeyValueObservingFoundation; "
        + "@KeyValueObservable class A: NSObject { var a = 0 }")
    let imports = try Program([
      "a.swift": "class A: NSObject { @objc dynamic var a = 0 }\nimport Foundation"
    ])
    #expect(
      try imports.ported().text
        == "@KeyValueObservable\nclass A: NSObject { var a = 0 }\nimport Foundation\n"
        + "import KeyValueObservingFoundation")
  }

  @Test("Branches of #if are ported alike")
  func conditions() throws {
    let text = """
      import Foundation
      #if canImport(AppKit)
      import AppKit
      #endif

      final class A: NSObject {
        #if os(macOS)
        @objc dynamic var size = 1
        #else
        @objc dynamic var size = 2
        var other = 3
        #endif
      }

      """
    #expect(
      try Program(text).ported().text == """
        import Foundation
        import KeyValueObservingFoundation
        #if canImport(AppKit)
        import AppKit
        #endif

        @KeyValueObservable
        final class A: NSObject {
          #if os(macOS)
          var size = 1
          #else
          var size = 2
          @KeyValueIgnored var other = 3
          #endif
        }

        """)
  }

  @Test("Comments, attributes and names of any script stay")
  func unicode() throws {
    let text = """
      // 観察
      /// Ein Gerät. 🎛️
      @available(macOS 10, *)
      public class Gerät: NSObject { // ende
        /* a */ @objc /* b */ dynamic /* c */ open var `größe` = "ß" // d
        @objc
        // e
        dynamic weak var 親: Gerät? /* f */
      }

      """
    #expect(
      try Program(text).ported().text == """
        import KeyValueObservingFoundation

        // 観察
        /// Ein Gerät. 🎛️
        @KeyValueObservable
        @available(macOS 10, *)
        public class Gerät: NSObject { // ende
          /* a */ /* b */ /* c */ open var `größe` = "ß" // d
          // e
          weak var 親: Gerät? /* f */
        }

        """)
  }

  @Test("Several variables are declared each on its own")
  func severalVariables() throws {
    let text = """
      class A: NSObject {
        @objc dynamic var a, b: Int
        @objc dynamic private(set) var c = (1, 2),
          d: [Int: Int] = [:]
        var e = 1, f: String, g = 3
      }

      """
    #expect(
      try Program(text).ported().text.split(separator: "\n").map(String.init).dropFirst(3) == [
        "  var a: Int", "  var b: Int", "  private(set) var c = (1, 2)",
        "    private(set) var d: [Int: Int] = [:]",
        "  @KeyValueIgnored var e = 1", "  @KeyValueIgnored var f: String",
        "  @KeyValueIgnored var g = 3", "}",
      ])
  }

  @Test("A file with a mark of its byte order, and one with a script's first line")
  func beginnings() throws {
    let mark = try Program("\u{feff}class A: NSObject { @objc dynamic var a = 0 }\n").ported().text
    #expect(
      mark.unicodeScalars.elementsEqual(
        "\u{feff}import KeyValueObservingFoundation\n\n@KeyValueObservable\nclass A: NSObject { var a = 0 }\n"
          .unicodeScalars))
    let script = try Program(
      "#!/usr/bin/env swift\nclass A: NSObject { @objc dynamic var a = 0 }\n"
    )
    .ported().text
    #expect(
      script == "#!/usr/bin/env swift\nimport KeyValueObservingFoundation\n\n"
        + "@KeyValueObservable\nclass A: NSObject { var a = 0 }\n")
  }

  @Test("A comment leaves a declaration or a statement alone, and out of the score")
  func skip() throws {
    let text = """
      import Foundation

      // kvo:port:skip
      class A: NSObject {
        @objc dynamic var a = 0
      }

      class B: NSObject {
        @objc dynamic var b = 0 // kvo:port:skip
        // kvo:port:skip
        @objc dynamic var c = #keyPath(B.b)
        func f() {
          // kvo:port:skip (the key is checked)
          print(#keyPath(B.b))
          print("kvo:port:skip", 1)
        }
      }

      """
    let program = try Program(text)
    let run = program.port("--allow-dirty")
    #expect(
      run.messages.last?.hasPrefix("0 of 1 file rewritten, 0 sites") == true, "\(run.messages)")
    #expect(try program.text() == text)
  }

  @Test("Comments in the setter of an operation's state stay")
  func setterComments() throws {
    let text = { (setter: String) in
      """
      class A: Operation {
        @objc dynamic var done: Bool {
          get { finished }
          \(setter)
        }
        var finished = false
        @objc class func keyPathsForValuesAffectingIsFinished() -> Set<String> { ["done"] }
      }

      """
    }
    let setters = [
      "set { /* a */ finished = newValue /* b */ }": ["{ /* a */ finished = newValue /* b */ }"],
      "set { finished = newValue // b\n    }": ["{ finished = newValue // b", "}"],
      "set { // a\n      finished = newValue }": ["{ // a", "finished = newValue }"],
      "set { finished = newValue }": ["{ finished = newValue }"],
    ]
    for (setter, body) in setters {
      let lines = try Program(text(setter)).ported().text.split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) }
      let start = try #require(lines.firstIndex(of: "set {"))
      let expected =
        ["set {", #"willChangeValue(forKey: "isFinished")"#]
        + ["withMutation(of: \\.done) " + body[0]] + body.dropFirst()
        + [#"didChangeValue(forKey: "isFinished")"#, "}"]
      #expect(Array(lines[start...].prefix(expected.count)) == expected)
    }
  }

  @Test("A comment behind an import may have several lines, and a statement may follow it")
  func commentOfImport() throws {
    let program = try Program(
      "import Foundation /* a\nb */\nclass A: NSObject { @objc dynamic var a = 0 }\n")
    #expect(
      try program.ported().text
        == "import Foundation /* a\nb */\nimport KeyValueObservingFoundation\n@KeyValueObservable\n"
        + "class A: NSObject { var a = 0 }\n")
    let other = try Program(
      "import Foundation /* a\nb */; class A: NSObject { @objc dynamic var a = 0 }\n")
    #expect(
      try other.ported().text
        .hasPrefix("import Foundation; import KeyValueObservingFoundation /* a\n"))
  }
}
