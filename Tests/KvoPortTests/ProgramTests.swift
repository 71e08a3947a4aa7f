import Foundation
import Testing

@testable import KvoPort

@Suite("Programs of several files")
struct ProgramTests {
  @Test("Types of one name in different targets are different types")
  func targets() throws {
    let program = try Program([
      "Sources/One/a.swift": "class Model: NSObject { @objc dynamic var a = 0 }\n",
      "Sources/Two/a.swift": "class Model: NSObject { var a = 0 }\n",
      "Sources/Two/b.swift": "class Sub: Model { func f() { observeLater() } }\n",
      "Sources/One/b.swift": "class Sub: Model { var b = 0 }\n",
    ])
    program.port("--allow-dirty")
    #expect(try program.text("Sources/One/a.swift").contains("@KeyValueObservable\nclass Model"))
    #expect(try program.text("Sources/Two/a.swift") == "class Model: NSObject { var a = 0 }\n")
    #expect(try program.text("Sources/One/b.swift") == "class Sub: Model { var b = 0 }\n")
  }

  @Test("A private type of one file is none of another")
  func privateTypes() throws {
    let program = try Program([
      "a.swift": "fileprivate class Model: NSObject { @objc dynamic var a = 0 }\n",
      "b.swift": """
      private class Model: NSObject { var a = 0 }
      func f(_ m: Model) { m.setValue(1, forKey: "a") }

      """,
    ])
    let run = program.port("--allow-dirty")
    #expect(try program.text("b.swift").contains("    m.setValue") == false)
    #expect(try program.text("b.swift").contains("{ m.setValue(1, forKey: \"a\") }"))
    #expect(
      run.messages.first?.hasPrefix("b.swift:2:24: warning: [key-value-coding] 'Model' has no")
        == true)
  }

  @Test("Classes, superclasses and types of properties are found in other files")
  func otherFiles() throws {
    let program = try Program([
      "a.swift": "class Base: NSObject { let owner = Owner() }\n",
      "b.swift": "class Owner { var model: Model?; let name = \"\" }\n",
      "c.swift": "class Model: Ancestor { @objc dynamic var a = 0 }\n",
      "d.swift": "class Ancestor: NSObject {}\n",
      "e.swift": "class User: Base { func f() { _ = owner.model!.value(forKey: \"a\") } }\n",
    ])
    program.port("--allow-dirty")
    #expect(try program.text("e.swift").contains("_ = try! owner.model!.value(forKey:"))
  }

  @Test("Global variables are found in other files")
  func globals() throws {
    let program = try Program([
      "a.swift": "class Model: NSObject { @objc dynamic var a = 0 }\n",
      "b.swift": "public let model = Model()\n",
      "c.swift": "let f: Any? = model.value(forKey: \"a\")\n",
    ])
    program.port("--allow-dirty")
    #expect(try program.text("c.swift").contains("= try! model.value("))
  }

  @Test("The type of a variable may depend on many others")
  func chain() throws {
    func source(_ count: Int) -> String {
      let variables = (1..<count).map { "  let p\($0) = p\($0 - 1)\n" }.joined()
      let call = "  func f() { p\(count - 1).setValue(1, forKey: \"a\") }\n"
      return "class M: NSObject { @objc dynamic var a = 0 }\nclass A {\n  let p0 = M()\n"
        + variables
        + call + "}\n"
    }
    #expect(try Program(source(100)).ported().text.contains("try! p99.setValue"))
    #expect(try Program(source(3000)).ported().text.contains("{ p2999.setValue"))
  }

  @Test("A run on half of the files and then on all is a run on all")
  func halves() throws {
    let files = [
      "a.swift": "import Foundation\nclass A: NSObject { @objc dynamic var a = 0; var b = B() }\n",
      "b.swift": "import Foundation\nclass B: A { @objc dynamic var c = 0; var d = 1 }\n",
    ]
    let (whole, halves) = (try Program(files), try Program(files))
    whole.port("--allow-dirty")
    halves.port("--allow-dirty", paths: ["a.swift"])
    halves.port("--allow-dirty")
    for name in files.keys { #expect(try whole.text(name) == halves.text(name)) }
  }

  @Test("Objective-C files that observe are counted by file")
  func objectiveC() throws {
    let program = try Program([
      "a.m": "// forKeyPath:\n[a addObserver:self forKeyPath:@\"b\" options:0 context:nil];\n",
      "b.m": "int main() { return 0; }\n", "a.swift": "let a = 1\n",
    ])
    let messages = program.port("--check").messages
    #expect(messages.count == 2)
    #expect(
      messages.first?.hasPrefix(
        "a.m:2:1: warning: [objective-c] this Objective-C file uses key-value") == true)
  }

  @Test("Each module that observes user defaults declares them once")
  func defaults() throws {
    let observer =
      "func f(_ o: NSObject) { UserDefaults.standard.addObserver(o, forKeyPath: \"a\") }\n"
    let program = try Program([
      "Sources/One/a.swift": observer, "Sources/One/Sub/b.swift": observer,
      "Sources/Two/a.swift": "let a = UserDefaults.standard.value(forKey: \"a\")\n",
    ])
    program.port("--allow-dirty")
    #expect(
      program.exists("Sources/One/Sub/UserDefaults+Observable.swift")
        != program.exists("Sources/One/UserDefaults+Observable.swift"))
    #expect(!program.exists("Sources/Two/UserDefaults+Observable.swift"))
    #expect(try program.text("Sources/Two/a.swift").contains("= UserDefaults.standard"))
    #expect(program.port("--check").status == 0)
  }

  @Test("A run on a part of a module finds the alias that another run made")
  func aliasOfParts() throws {
    let observer =
      "func f(_ o: NSObject) { UserDefaults.standard.addObserver(o, forKeyPath: \"a\") }\n"
    let program = try Program([
      "Sources/App/A/a.swift": observer, "Sources/App/B/b.swift": observer,
    ])
    program.port("--allow-dirty", paths: ["Sources/App/A"])
    program.port("--allow-dirty", paths: ["Sources/App/B"])
    #expect(program.exists("Sources/App/A/UserDefaults+Observable.swift"))
    #expect(!program.exists("Sources/App/B/UserDefaults+Observable.swift"))
  }

  @Test("A file that has the name of the alias by chance is not the alias")
  func aliasName() throws {
    let program = try Program([
      "a.swift":
        "func f(_ o: NSObject) { UserDefaults.standard.addObserver(o, forKeyPath: \"a\") }\n",
      "UserDefaults+Observable.swift": "extension UserDefaults {}\n",
      "Package.swift": "",
    ])
    program.port("--allow-dirty")
    #expect(try program.text("UserDefaults+Observable.swift") == "extension UserDefaults {}\n")
    #expect(
      try program.text("UserDefaults+ObservableAlias.swift").contains("\ntypealias UserDefaults"))
    #expect(program.port("--check").status == 0)
  }

  @Test(
    "The alias is public if a public declaration names user defaults",
    arguments: [
      ("public init(defaults: UserDefaults) {}", true), ("init(defaults: UserDefaults) {}", false),
      ("public func f() { let a: UserDefaults }", false), ("public var a: UserDefaults?", true),
    ])
  func publicAlias(member: String, isPublic: Bool) throws {
    let program = try Program([
      "Sources/A/a.swift":
        "func f(_ o: NSObject) { UserDefaults.standard.addObserver(o, forKeyPath: \"a\") }\n",
      "Sources/A/b.swift": "public struct S { \(member) }\n",
      "Sources/B/c.swift": "public struct S { public var a: UserDefaults }\n",
    ])
    program.port("--allow-dirty")
    let alias = try program.text("Sources/A/UserDefaults+Observable.swift")
    #expect(alias.contains("\n\(isPublic ? "public " : "")typealias UserDefaults"))
  }

  @Test("Other files of a module reach the members of Foundation's class too")
  func foundationMembers() throws {
    let program = try Program([
      "Sources/A/a.swift":
        "func f(_ o: NSObject) { UserDefaults.standard.addObserver(o, forKeyPath: \"a\") }\n",
      "Sources/A/b.swift": "let a = UserDefaults.didChangeNotification\n",
      "Sources/B/b.swift": "let a = UserDefaults.didChangeNotification\n",
    ])
    program.port("--allow-dirty")
    #expect(try program.text("Sources/A/b.swift").contains("= Foundation.UserDefaults.did"))
    #expect(try program.text("Sources/B/b.swift").contains("= UserDefaults.did"))
  }

  @Test("Properties and enumerations that other files need in Objective-C stay there")
  func usesOfObjectiveC() throws {
    let program = try Program([
      "a.swift": """
      @objc enum Kind: Int { case a }
      class A: NSObject {
        @objc dynamic var kind = Kind.a
        @objc dynamic var title = ""
        @objc dynamic var age = 0
        @objc dynamic var size = 0
      }

      """,
      "b.swift": "class C: UIView { @IBAction func f(_ kind: Kind) {} }\n",
      "c.swift": "let p = NSPredicate(format: \"age > 1\")\n",
      "d.m": "void f(A *a) { [a setTitle:@\"\"]; }\n",
      "e.m": "void f(B *a) { [a setSize:1]; }\n",
    ])
    program.port("--allow-dirty")
    #expect(
      try program.text().hasSuffix(
        """
        @objc enum Kind: Int { case a }
        @KeyValueObservable
        class A: NSObject {
          var kind = Kind.a
          @objc var title = ""
          @objc var age = 0
          var size = 0
        }

        """))
  }

  @Test("Members that other files need in Objective-C keep '@objcMembers'")
  func allMembers() throws {
    let program = try Program([
      "a.swift": """
      @objcMembers class A: NSObject { dynamic var a = 0 }
      @objcMembers class B: NSObject { dynamic var b = 0; func move(to: Int) {} }
      @objcMembers class C: NSObject { dynamic var c = 0 }
      @objcMembers class D: NSObject { dynamic var d = 0 }

      """,
      "b.swift": "extension A { func tap() {} }\nlet s = #selector(A.tap)\n",
      "c.swift": "class E: C { func press() {} }\nlet t = #selector(E.press)\n",
      "d.m": "void f(B *b) { [b moveTo:1]; }\n",
    ])
    program.port("--allow-dirty")
    #expect(
      try program.text().split(separator: "\n").dropFirst().map { $0.prefix(20) } == [
        "@KeyValueObservable", "@objcMembers class A", "@KeyValueObservable",
        "@objcMembers class B", "@KeyValueObservable", "@objcMembers class C",
        "@KeyValueObservable", "class D: NSObject { ",
      ])
  }

  @Test("An operation whose subclass in another file keeps a state of its own stays")
  func operations() throws {
    let files = [
      "a.swift":
        "class Base: Operation {}\nfunc w(_ o: Base) -> Any { o.observe(\\.isFinished) { _, _ in } }\n",
      "b.swift": "class Middle<A, B>\n  : Base {}\n",
      "c.swift": "class Upload: App.Middle<Int> { override func start() { super.start() } }\n",
    ]
    let program = try Program(files)
    program.port("--allow-dirty")
    #expect(try program.text().hasPrefix("class Base: Operation {}\n"))
    let other = try Program(files.filter { $0.key != "c.swift" })
    other.port("--allow-dirty")
    #expect(try other.text().contains("class Base: ObservableOperation {}\n"))
  }

  @Test("Calls of optional functions in files without a word of Objective-C are adapted")
  func optionalCalls() throws {
    let program = try Program([
      "a.swift": "@objc protocol P { @objc optional func changed() }\n",
      "b.swift": "func f(_ p: P?) { p?.changed?() }\n",
    ])
    program.port("--allow-dirty", "--for", "linux")
    #expect(try program.text("b.swift") == "func f(_ p: P?) { p?.changed() }\n")
  }

  @Test("Subclasses and callers of a wrapper are found in other files")
  func wrappers() throws {
    let program = try Program([
      "a.swift":
        "class W { func bind(_ o: NSObject) { o.addObserver(self, forKeyPath: \"a\") } }\n",
      "b.swift": "class Sub: W { override func bind(_ o: NSObject) {} }\n",
      "c.swift": "func f(_ p: AVPlayer, _ w: W) { w.bind(p) }\n",
    ])
    let messages = program.port("--allow-dirty").messages
    #expect(
      try program.text("b.swift").contains("override func bind(_ o: some KeyValueObservable)"))
    #expect(
      messages.contains { $0.hasPrefix("c.swift:1:40: warning: [framework-object] 'AVPlayer'") })
  }

  @Test("A token of another file's function is stored with its type")
  func tokens() throws {
    let program = try Program([
      "a.swift": """
      class M: NSObject { @objc dynamic var a = 0 }
      func start(_ m: M) -> NSObjectProtocol { m.observe(\\.a) { _, _ in } }

      """,
      "b.swift": "let token: NSObjectProtocol = start(M())\n",
    ])
    program.port("--allow-dirty")
    #expect(try program.text("b.swift").contains("let token: NSKeyValueObservation = start"))
  }

  @Test("A manual notification for a property that another run ignored is found")
  func ignoredKey() throws {
    let program = try Program([
      "a.swift": "class A: NSObject { @objc dynamic var a = 0; var count = 0 }\n",
      "b.swift": "func f(_ a: A) { a.willChangeValue(forKey: \"count\") }\n",
    ])
    program.port("--allow-dirty", paths: ["a.swift"])
    let messages = program.port("--check").messages
    #expect(messages.contains { $0.hasPrefix("b.swift:1:20: warning: [unknown-key] 'count' of") })
  }

  @Test("A dry run is the run, and patch and git apply it")
  func patch() throws {
    let files = [
      "a b.swift": "import Foundation\nclass A: NSObject {\n  @objc dynamic var a = 0\n}",
      "c.swift":
        "func f(_ o: NSObject) { UserDefaults.standard.addObserver(o, forKeyPath: \"a\") }\r\n",
      "d/e.swift":
        "class E: NSObject {\n\(String(repeating: "  // line\n", count: 20))  @objc dynamic var e = 0, f = 1\n}\n",
    ]
    let run = try Program(files)
    run.port("--allow-dirty")
    let patch = ["patch", "-s", "--binary", "-p0", "-i"]
    let runs: [(tool: [String], path: (Program) -> String)] = [
      (patch, { _ in "." }), (["git", "apply", "-p0"], { $0.folder.path }),
      (patch, { "../" + $0.folder.lastPathComponent }),
    ]
    for (tool, path) in runs {
      let program = try Program(files)
      try program.run("git", "init", "-q")
      let dryRun = try program.launch("--dry-run", path(program))
      #expect(dryRun.status == 1)
      try program.write(dryRun.output, to: "all.diff")
      #expect(try program.run(tool + ["all.diff"]) == 0, "\(tool)")
      for name in Array(files.keys) + ["UserDefaults+Observable.swift"] {
        #expect(try program.text(name) == run.text(name), "\(tool) \(name)")
      }
    }
  }
}
