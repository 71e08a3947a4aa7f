import Foundation
import Testing

@testable import KvoPort
@testable import PortedExamples

/// Programs that are written as for Apple's platforms, and their ports, which the test build compiles.
@Suite("Examples", .serialized)
struct ExampleTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent()
    .appending(path: "../PortedExamples").standardizedFileURL

  private static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: path)), as: UTF8.self)
  }

  /// The programs before the port, outside of the module that has the alias.
  private static func before() throws -> Program {
    let path = folder.appending(path: "Before").path
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    return try Program(
      Dictionary(uniqueKeysWithValues: names.map { ($0, try text("Before/\($0)")) }))
  }

  @Test("The port of each example is the program that is compiled")
  func texts() throws {
    let program = try Self.before()
    let before = program.folder.path
    var options = PortOptions()
    options.paths = [before]
    let port = try ProgramPort(options)
    let ported = Dictionary(uniqueKeysWithValues: port.files.map { ($0.path, $0.new) })
    let names = try FileManager.default.contentsOfDirectory(atPath: before).sorted()
    #expect(names.count > 9)
    for name in names {
      let path = "\(before)/\(name)"
      let text =
        try ported[path].map { String(decoding: $0, as: UTF8.self) } ?? Self.text("Before/\(name)")
      #expect(text == (try Self.text("After/\(name)")), "\(name)")
    }
    let added = port.files.filter { $0.old == nil }
    #expect(
      added.map { URL(filePath: $0.path).lastPathComponent } == ["UserDefaults+Observable.swift"])
    #expect(
      added.map { String(decoding: $0.new, as: UTF8.self) } == [
        try Self.text("After/UserDefaults+Observable.swift")
      ])
  }

  @Test("The warnings of each example are those that are listed")
  func warnings() throws {
    let program = try Self.before()
    let before = program.folder.path
    var options = PortOptions()
    options.paths = [before]
    let found = try ProgramPort(options).report.sites.compactMap(\.diagnostic)
      .map { $0.replacing(before + "/", with: "") }
    #expect(found.joined(separator: "\n") + "\n" == (try Self.text("Warnings.txt")))
  }

  @Test("A second run changes nothing, and finds no site to rewrite")
  func again() throws {
    var options = PortOptions()
    options.paths = [Self.folder.appending(path: "After").path]
    let port = try ProgramPort(options)
    #expect(port.files.isEmpty)
    #expect(port.report.count(.rewritten) == 0)
  }

  @Test("A view model notifies the tokens of a view")
  func tunnel() {
    #expect(TunnelExample.run() == ["home 0", "home 1", "home 2", "home becomes office"])
  }

  @Test("Properties of all types are observed, and read and set by key")
  func propertyKinds() throws {
    #expect(try PropertyKindsExample.run() == ["Ada", "Ada King", #"[] ["a"]"#, "b", "7"])
  }

  @Test("A wrapper of any object observes by a string and by a typed key path")
  func objectWrapper() {
    #expect(ObjectWrapperExample.run() == ["follow 0", "string 3", "typed 3", "follow 3"])
  }

  @Test("A key path follows the objects on the way")
  func weakChain() {
    #expect(
      WeakChainExample.run() == [
        "child.title child", "child.title first", "child.title second",
      ])
  }

  @Test("Operations notify their observers and their queue")
  func operations() {
    let lines = OperationsExample.run()
    #expect(
      lines == [
        "state finished", "condition executing true", "condition executing false",
        "plain finished 7",
      ])
  }

  @Test("Setters that store elsewhere notify of each assignment")
  func storedElsewhere() {
    #expect(StoredElsewhereExample.run() == ["0 4", "note: loud", "balance 5"])
  }

  @Test("Preferences are observed by a string and by a typed key path")
  func preferences() {
    #expect(
      PreferencesExample.run() == [
        "theme dark", "typed dark", "size 12", "size -1", "theme none",
      ])
  }

  @Test("Observers receive the changes of their own context")
  func contextGuards() {
    #expect(
      ContextGuardsExample.run() == [
        "guarded 1", "derived 0", "guarded 2", "derived 1", "switch 1", "return 1", "return 2",
      ])
  }

  @Test("Dependent keys of a class and its superclass are united")
  func dependencies() {
    #expect(
      DependenciesExample.run() == [
        "volume 2", "shape 2", "volume 6", "volume 30", "shape 10",
      ])
  }

  @Test("Code that has been ported runs as before")
  func ported() throws {
    #expect(try PortedExample.run() == ["ported", "0"])
  }
}
