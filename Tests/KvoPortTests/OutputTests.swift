import Foundation
import Testing

@testable import KvoPort

@Suite("A copy")
struct OutputTests {
  private static let defaults =
    "func f(_ o: NSObject) { UserDefaults.standard.addObserver(o, forKeyPath: \"a\") }\n"

  @Test("A copy has all files, and the sources stay")
  func all() throws {
    let program = try Program([
      "Sources/a.swift": model, "Sources/b.swift": "let b = 1\n", "Sources/data.txt": "text",
      "Sources/.build/c.swift": model, "Sources/.a.swift.kvo-port-1": model,
    ])
    let script = program.folder.appending(path: "Sources/a.swift").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    let copy = program.folder.appending(path: "copy").path
    #expect(program.port("--output", copy, paths: ["Sources"]).status == 0)
    #expect(try program.text("copy/a.swift") == portedModel)
    #expect(FileManager.default.isExecutableFile(atPath: copy + "/a.swift"))
    #expect(try program.text("copy/b.swift") == "let b = 1\n")
    #expect(try program.text("copy/data.txt") == "text")
    #expect(try program.text("Sources/a.swift") == model)
    #expect(!program.exists("copy/.build") && !program.exists("copy/.a.swift.kvo-port-1"))
    let again = program.port("--output", copy, paths: ["Sources"])
    #expect(again.status == 73)
    #expect(again.messages.last?.hasSuffix("is there and not empty. Name a new one.") == true)
  }

  @Test("Links of the sources do not lead the run back to them")
  func links() throws {
    let program = try Program([
      "Sources/z.swift": model, "Sources/Sub/b.swift": "let b = 1\n",
      "Shared/shared.swift": model, "Shared/data.txt": "text",
    ])
    let files = ["Sources/z.swift", "Shared/shared.swift"]
    let links = [
      "Sources/a.swift": "z.swift", "Sources/shared.swift": "../Shared/shared.swift",
      "Sources/data.txt": "../Shared/data.txt", "Sources/loop": ".", "Sources/Sub/up": "../..",
      "Sources/Folder": "../Shared", "Sources/.#a.swift": "user@host.1", "Sources/self": "self",
      "Sources/absolute.swift": program.folder.appending(path: "Sources/z.swift").path,
      "Sources/Sub/z.swift": "../z.swift", "Sources/again.swift": "loop/z.swift",
      "Sources/Sub/around.swift": "../../Sources/z.swift",
    ]
    for (name, destination) in links { try program.link(name, to: destination) }
    let copy = program.folder.appending(path: "Copies/copy").path
    let run = program.port("--output", copy, paths: ["Sources"])
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.messages.last?.hasPrefix("2 of 3 files rewritten, 8 sites") == true)
    for file in files { #expect(try program.text(file) == model) }
    for name in ["a", "z", "shared", "absolute", "again", "Sub/z", "Sub/around"] {
      #expect(try program.text("Copies/copy/\(name).swift") == portedModel, "\(name)")
    }
    #expect(try program.text("Copies/copy/data.txt") == "text")
    let kept = [
      "a.swift": "z.swift", "absolute.swift": "z.swift", "Sub/z.swift": "../z.swift", "loop": ".",
      "again.swift": "loop/z.swift", "Sub/around.swift": "../z.swift",
      ".#a.swift": "user@host.1", "self": "self", "shared.swift": nil, "data.txt": nil,
      "Sub/up": program.folder.path, "Folder": program.folder.appending(path: "Shared").path,
    ]
    for (name, destination) in kept {
      #expect(program.destination(of: "Copies/copy/\(name)") == destination, "\(name)")
    }
  }

  @Test(arguments: [
    (["."], "Sources/A/x.swift"), (["./"], "Sources/A/x.swift"), (["Sources//"], "A/x.swift"),
    (["./Sources/."], "A/x.swift"), (["Sources", "Sources"], "A/x.swift"),
    (["Sources", "Sources/A"], "A/x.swift"), (["Sources/A/", "Sources"], "A/x.swift"),
    (["Sources/A/x.swift"], "Sources/A/x.swift"), (["./Sources//A/x.swift"], "Sources/A/x.swift"),
    (["Sources/A", "Tests"], "Sources/A/x.swift"), (["Tests/../Sources"], "A/x.swift"),
    (["Link"], "x.swift"), (["Sources", "Link"], "A/x.swift"), (["Sources/Link"], "x.swift"),
    (["Sources", "Nothing"], nil),
  ])
  func `Files keep their places in a copy`(paths: [String], place: String?) throws {
    let program = try Program([
      "Sources/A/x.swift": Self.defaults, "Sources/A/y.swift": model, "Tests/t.swift": model,
    ])
    try program.link("Link", to: "Sources/A")
    try program.link("Sources/Link", to: "A")
    let run = try program.launch(["--output", "out", "--json"] + paths)
    guard let place else {
      #expect(run.status == 66 && !program.exists("out"))
      return
    }
    #expect(run.status == 0, "\(run.messages)")
    let folder = URL(filePath: place).deletingLastPathComponent().relativePath
    let root = folder == "." ? "out" : "out/\(folder)"
    #expect(try program.text("out/\(place)").contains("import KeyValueObserving"))
    #expect(program.exists("\(root)/UserDefaults+Observable.swift"))
    #expect(try program.text("Sources/A/x.swift") == Self.defaults)
    #expect(!program.exists("out/out"))
  }

  @Test("Files outside of the current folder are in the copy as they lie to each other")
  func outside() throws {
    let program = try Program(["A/Sub/a.swift": model, "B/b.swift": model, "C/c.swift": model])
    let copy = program.folder.appending(path: "Copy").path
    #expect(program.port("--output", copy, paths: ["A/Sub", "B/b.swift"]).status == 0)
    #expect(try program.text("Copy/A/Sub/a.swift") == portedModel)
    #expect(try program.text("Copy/B/b.swift") == portedModel)
    #expect(!program.exists("Copy/C"))
  }
}
