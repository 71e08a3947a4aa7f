import Foundation
import SwiftSyntax
import Testing

@testable import KvoPort

@Suite("The command")
struct CommandTests {
  @Test("A run in place writes the files, and a second one changes nothing")
  func inPlace() throws {
    let program = try Program(model)
    try program.commit()
    let run = program.port()
    #expect(run.status == 0)
    #expect(run.output == "")
    #expect(run.messages.count == 1)
    let summary = "1 of 1 file rewritten, 4 sites, 0 to do by hand, 100.0 % portable ("
    #expect(run.messages.last?.hasPrefix(summary) == true)
    #expect(try program.text() == portedModel)
    try program.commit()
    #expect(program.port().messages.last?.hasPrefix("0 of 1 file rewritten, 1 site,") == true)
    #expect(try program.text() == portedModel)
  }

  @Test("A dry run prints a difference and writes nothing")
  func dryRun() throws {
    let program = try Program(model)
    let run = program.port("--dry-run")
    #expect(run.status == 1)
    #expect(try program.text() == model)
    let lines = run.output.split(separator: "\n").dropFirst(2)
    #expect(lines.first == "@@ -1,6 +1,8 @@")
    #expect(
      lines.filter { $0.hasPrefix("+") || $0.hasPrefix("-") } == [
        "+import KeyValueObservingFoundation", "+@KeyValueObservable",
        #"-  @objc dynamic var title = """#, "-  var count = 0", #"+  var title = """#,
        "+  @KeyValueIgnored var count = 0",
      ])
    #expect(program.port("--dry-run", paths: ["a.swift"]).status == 1)
  }

  @Test("A check prints the table and the score, and writes nothing")
  func check() throws {
    let program = try Program(
      model + "func watch(_ player: AVPlayer) { _ = player.observe(\\.rate) { _, _ in } }\n")
    let run = program.port("--check")
    #expect(run.status == 1)
    #expect(
      run.output == """
        pattern           rewritten  unchanged  to review  manual
        dynamic-property          1          0          0       0
        observed-class            1          0          0       0
        stored-property           1          0          0       0
        import                    1          0          0       0
        framework-object          0          0          0       1
        total                     4          0          0       1

        own classes: 100.0 % portable
        in total:    80.0 % portable

        """)
    #expect(try program.text().hasPrefix(model))
  }

  @Test("Nothing to rewrite is status 0")
  func nothing() throws {
    let program = try Program(portedModel)
    #expect(program.port("--check").status == 0)
    #expect(program.port("--dry-run").output == "")
    #expect(program.port("--dry-run").status == 0)
  }

  @Test("JSON is a report, and does not change what is written")
  func json() throws {
    let program = try Program(model)
    let run = program.port("--json", "--allow-dirty")
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    #expect(object?["version"] as? Int == 1)
    let sites = try #require(object?["sites"] as? [[String: Any]])
    #expect(
      sites.map { $0["pattern"] as? String }
        == ["import", "observed-class", "dynamic-property", "stored-property"])
    #expect(
      sites.allSatisfy { $0["status"] as? String == "rewritten" && $0["own"] as? Bool == true })
    #expect(sites.last?["line"] as? Int == 7 && sites.last?["column"] as? Int == 20)
    let summary = try #require(object?["summary"] as? [String: Any])
    #expect(summary["written"] as? Bool == true && summary["rewrittenFiles"] as? Int == 1)
    #expect(try program.text() == portedModel)
    let files = try #require(object?["files"] as? [[String: Any]])
    #expect(files.map { $0["status"] as? String } == ["rewritten"])
    let dry = try Program(model).port("--json", "--dry-run")
    let dryObject = try JSONSerialization.jsonObject(with: Data(dry.output.utf8)) as? [String: Any]
    #expect((dryObject?["diff"] as? String)?.contains("+@KeyValueObservable") == true)
    #expect((dryObject?["summary"] as? [String: Any])?["written"] as? Bool == false)
  }

  @Test("Only a file that would be written must be committed")
  func dirty() throws {
    let program = try Program(["a.swift": model, "b.swift": "let b = 1\n"])
    let outside = program.port()
    #expect(outside.status == 73)
    #expect(outside.messages.last?.contains("--allow-dirty") == true)
    try program.commit()
    try program.write("let b = 2\n", to: "b.swift")
    try program.write(model + "\n", to: "a.swift")
    let changed = program.port()
    #expect(changed.status == 73)
    #expect(changed.messages.last?.contains("a.swift has uncommitted changes") == true)
    #expect(try program.text() == model + "\n")
    try program.write(model, to: "a.swift")
    #expect(program.port().status == 0)
    #expect(program.port("--allow-dirty").status == 0)
    #expect(try program.text() == portedModel)
  }

  @Test("A worktree is a repository, too")
  func worktree() throws {
    let program = try Program(model)
    try program.commit()
    try program.run("git", "worktree", "add", "-q", "tree")
    #expect(program.port(paths: ["tree"]).status == 0)
    #expect(try program.text("tree/a.swift") == portedModel)
  }

  @Test("A file that does not parse is left, and the others are written")
  func unparsed() throws {
    let program = try Program(["a.swift": model, "b.swift": "// b\n  class { dynamic\n"])
    let run = program.port("--allow-dirty")
    #expect(run.status == 65)
    #expect(
      run.messages.first
        == "b.swift:2:8: error: the file does not parse here, and is left as it is")
    #expect(try program.text() == portedModel)
    #expect(try program.text("b.swift") == "// b\n  class { dynamic\n")
  }

  @Test("A path that is not there is status 66")
  func missing() throws {
    let run = try Program(model).port("--check", paths: ["nothing"])
    #expect(run.status == 66)
    #expect(run.messages.last?.hasSuffix("there is no such file or folder.") == true)
  }

  @Test("A file that cannot be written is status 74, and the others are written")
  func unwritable() throws {
    let large = model + String(repeating: "// line\n", count: 200)
    let program = try Program(["a.swift": large, "b.swift": model, "c.swift": "let c = 1\n"])
    // A limit of the size of files, which the system does not enforce by ending the process.
    let limit = ["bash", "-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "bash"]
    let copy = try program.launch("--output", "copy", "--json", ".", behind: limit)
    let run = try program.launch("--allow-dirty", "--exclude", "copy", ".", behind: limit)
    for run in [copy, run] {
      #expect(run.status == 74)
      #expect(run.messages.first == "kvo port: a.swift: the file cannot be written.")
      #expect(run.messages.last?.hasPrefix("1 of 3 files rewritten, 8 sites, ") == true)
      #expect(run.messages.count == 2)
    }
    #expect(copy.output.contains("\"status\" : \"unwritten\""))
    #expect(try program.text("a.swift") == large)
    #expect(try program.text("b.swift") == portedModel)
    #expect(try program.text("copy/b.swift") == portedModel)
    #expect(try program.text("copy/c.swift") == "let c = 1\n")
    let names = try FileManager.default.contentsOfDirectory(atPath: program.folder.path)
    #expect(names.sorted() == ["a.swift", "b.swift", "c.swift", "copy"])
  }

  @Test("Warnings name the lines of the text that was written, or else the present ones")
  func lines() throws {
    let text =
      model
      + "// player\nfunc watch(_ player: AVPlayer) { _ = player.observe(\\.rate) { _, _ in } }\n"
    let warning = ": warning: [framework-object] "
    let place = { (run: Program.Run) in run.messages.first?.components(separatedBy: warning).first }
    #expect(place(try Program(text).port("--check")) == "a.swift:8:45")
    #expect(place(try Program(text).port("--dry-run")) == "a.swift:8:45")
    #expect(place(try Program(text).port("--allow-dirty")) == "a.swift:10:45")
    let program = try Program(["Sources/a.swift": text])
    #expect(place(try program.launch("--output", "copy", "Sources")) == "Sources/a.swift:10:45")
  }

  @Test("The summary counts the files that are rewritten, and those that are added")
  func summary() throws {
    let program = try Program(
      "func f(_ o: NSObject) { UserDefaults.standard.addObserver(o, forKeyPath: \"a\") }\n")
    let messages = { (options: String...) in
      program.port(options.first ?? "").messages.last?.prefix { $0 != "s" }.description
    }
    #expect(messages("--check") == "1 of 1 file would be rewritten, 1 would be added, 3 ")
    #expect(messages("--dry-run") == "1 of 1 file would be rewritten, 1 would be added, 3 ")
    #expect(messages("--allow-dirty") == "1 of 1 file rewritten, 1 added, 3 ")
  }

  @Test("A result that would not parse is not written, with a warning at the file")
  func brokenResult() {
    let text = SourceText(path: "a.swift", bytes: Array(model.utf8))
    let port = ProgramPort([text], PortOptions(), applying: [BreakingPattern.self])
    #expect(port.files.isEmpty && port.report.unparsed == ["a.swift"])
    #expect(port.report.sites.map(\.status) == [.manual])
    let beginning = "a.swift:1:1: warning: the result would not parse, so the file is left as it is"
    #expect(port.complaints.first?.hasPrefix("\(beginning), with 1 site to do by hand") == true)
  }

  @Test("A link that leads nowhere, and what an interrupted run left, are no sources")
  func leftovers() throws {
    let program = try Program(["a.swift": model, ".b.swift.kvo-port-1": model])
    try program.link(".#a.swift", to: "user@host.1")
    try program.link("loop", to: ".")
    let run = program.port("--allow-dirty")
    #expect(run.status == 0)
    #expect(run.messages.last?.hasPrefix("1 of 1 file rewritten, 4 sites") == true)
    #expect(try program.text(".b.swift.kvo-port-1") == model)
  }

  @Test("Strict is status 1 if something is left to be done")
  func strict() throws {
    let program = try Program("func f(_ p: AVPlayer) { _ = p.observe(\\.rate) { _, _ in } }\n")
    #expect(program.port("--allow-dirty").status == 0)
    #expect(program.port("--allow-dirty", "--strict").status == 1)
  }

  @Test("Quiet prints no notes, and prints warnings")
  func quiet() throws {
    let text = """
      let path = #keyPath(NSView.frame)
      func f(_ p: AVPlayer) { _ = p.observe(\\.rate) { _, _ in } }

      """
    let loud = try Program(text).port("--check").messages
    #expect(loud.filter { $0.contains(": note: [key-path-literal] ") }.count == 1)
    let quiet = try Program(text).port("--check", "--quiet").messages
    #expect(quiet.filter { $0.contains(": note: ") }.isEmpty)
    #expect(quiet.filter { $0.contains(": warning: [framework-object] ") }.count == 1)
  }

  @Test("Files and folders are left out")
  func exclude() throws {
    let program = try Program([
      "a.swift": model, "Made/b.swift": model, ".build/c.swift": model, "Pods/d.swift": model,
      "Deep/Made/e.swift": model, "f.generated.swift": model,
    ])
    let run = program.port(
      "--allow-dirty", "--exclude", "Made/**", "--exclude", "*.generated.swift")
    #expect(run.messages.last?.hasPrefix("1 of 1 file rewritten") == true)
    for name in ["Made/b", ".build/c", "Pods/d", "Deep/Made/e", "f.generated"] {
      #expect(try program.text("\(name).swift") == model, "\(name)")
    }
  }

  @Test("Folders around the path that is named are not left out")
  func excludeAbove() throws {
    let program = try Program([
      "Tests/App/a.swift": model, "Tests/App/Tests/b.swift": model, "Tests/App/Old/c.swift": model,
    ])
    let path = "Tests/App"
    let run = program.port(
      "--allow-dirty", "--exclude", "Tests", "--exclude", "App/**", paths: [path])
    #expect(run.messages.last?.hasPrefix("2 of 2 files rewritten") == true)
    #expect(try program.text("Tests/App/Tests/b.swift") == model)
    let whole = try program.launch("--check", "--exclude", "Tests/App/Old/**", "Tests/App")
    #expect(whole.messages.last?.hasPrefix("1 of 2 files would be rewritten") == true)
    let file = try program.launch("--check", "--exclude", "b.*", "Tests/App/Tests/b.swift")
    #expect(file.messages.last?.hasPrefix("0 of 0 files would be rewritten") == true)
  }

  @Test("Patterns are applied alone, or left out")
  func patterns() throws {
    let only = try Program(model).ported("--only", "dynamic-property").text
    #expect(only == model.replacing("@objc dynamic ", with: ""))
    let skipped = try Program(model).ported("--skip", "stored-property", "--skip", "import").text
    #expect(skipped.contains("@KeyValueObservable\n"))
    #expect(skipped.contains("  var count = 0\n") && !skipped.contains("import Key"))
  }

  @Test("The list has a line for each pattern")
  func list() throws {
    let output = Capture()
    #expect(PortCommand.run(["--list"], output, Capture()) == 0)
    let names = output.text.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(names.map(String.init) == PatternName.allCases.map(\.rawValue))
  }

  @Test(arguments: ["--help", "-h"])
  func `Help describes every option, each on a line`(option: String) throws {
    let output = Capture()
    #expect(PortCommand.run([option], output, Capture()) == 0)
    let described = output.text.split(separator: "\n").filter { $0.hasPrefix("  ") }
      .compactMap { $0.drop { $0 == " " }.split(separator: "  ").first }
      .filter { $0.hasPrefix("-") }.map { $0.prefix { $0 != " " && $0 != "," } }
    #expect(
      described == [
        "--dry-run", "--check", "--json", "--output", "--for", "--observe-all", "--try", "--only",
        "--skip", "--list", "--exclude", "--allow-dirty", "--quiet", "--strict", "-h", "--",
      ])
    #expect(output.text.contains("  -h, --help  "))
  }

  @Test(arguments: [
    (["--jsno", "."], "port has no option '--jsno'. Did you mean '--json'?"),
    ([], "port needs a file or a folder."),
    (["--check", "--dry-run", "."], "'--check' and '--dry-run' cannot be combined."),
    (["--for", "windows", "."], "'--for' takes linux, all, not 'windows'."),
    (["--only", "dynamic-propety", "."], "there is no pattern 'dynamic-propety'."),
    (["--output"], "'--output' needs a value."),
    (["--output="], "'--output' needs a value."),
    (["--output", "--json", "."], "'--output' needs a value, and '--json' is an option."),
    (["--for", "-h", "."], "'--for' needs a value, and '-h' is an option."),
    (["--check=yes", "."], "'--check' takes no value."),
  ])
  func `Wrong usage is status 64`(arguments: [String], sentence: String) {
    let messages = Capture()
    #expect(PortCommand.run(arguments, Capture(), messages) == 64)
    #expect(messages.text.contains(sentence), "\(messages.text)")
  }

  @Test("A file that is named twice is edited once")
  func twice() throws {
    let program = try Program(model)
    let run = program.port("--allow-dirty", paths: [".", "a.swift"])
    #expect(run.messages.last?.hasPrefix("1 of 1 file rewritten, 4 sites") == true)
    #expect(try program.text() == portedModel)
  }
}

/// A pattern with a fault.
private enum BreakingPattern: Pattern {
  static func apply(to port: FilePort) {
    port.rewrite(.observedClass, at: port.file.tree, [.insert("}", at: 0)])
  }
}
