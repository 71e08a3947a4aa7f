import Foundation
import SwiftSyntax
import TestSupport
import Testing

@testable import KvoPort

@Suite("Random compositions")
struct RandomTests {
  private static let count =
    ProcessInfo.processInfo.environment["PORT_PROGRAMS"].flatMap(Int.init) ?? 2000

  @Test("Random programs parse after the port, keep their bytes, and are not changed again")
  func compositions() throws {
    var random = SplitMix(seed: 20)
    let programs = (0..<Self.count).map { number in
      var program = RandomProgram(random)
      defer { random = program.random }
      return (number, program.text())
    }
    let results = parallelMap(programs) { Self.port(number: $0, $1) }
    #expect(results.compactMap(\.fault).first == nil)
    #expect(results.count(where: \.isRewritten) > Self.count * 9 / 10)
  }

  /// The port of a program and, if there is something wrong with it, the reason.
  private static func port(number: Int, _ text: String) -> (isRewritten: Bool, fault: String?) {
    let before = SourceText(path: "a.swift", bytes: Array(text.utf8))
    var options = PortOptions()
    if number.isMultiple(of: 5) { options.platforms = .linux }
    if number.isMultiple(of: 7) { options.observesAll = true }
    options.attempt = [.throw, .stop, .ignore][number % 3]
    let port = ProgramPort([before], options)
    func fault(_ reason: String) -> (Bool, String) { (true, "\(number), \(reason): \(text)") }
    guard port.complaints.isEmpty else { return fault(port.complaints[0]) }
    if port.report.sites.contains(where: { $0.message == Messages.conflict }) {
      return fault("two edits overlap")
    }
    guard let file = port.files.first(where: { $0.old != nil }) else { return (false, nil) }
    guard keepsBytes(file) else { return fault("a byte outside of the edits has changed") }
    let elsewhere = number.isMultiple(of: 10) ? editsElsewhere(file, port.report.sites) : []
    guard elsewhere.isEmpty else { return fault("\(elsewhere) are at no site") }
    let texts = port.files.map { SourceText(path: $0.path, bytes: $0.new) }
    let second = ProgramPort(texts, options)
    guard second.files.isEmpty, second.report.count(.rewritten) == 0 else {
      return fault("a second run changes the result")
    }
    return (true, nil)
  }

  @Test("The difference of random programs, applied by patch, is the run")
  func patch() throws {
    var random = SplitMix(seed: 21)
    var files: [String: String] = [:]
    for number in 0..<200 {
      var program = RandomProgram(random)
      files["Sources/M\(number)/a.swift"] = program.text()
      random = program.random
    }
    let (run, patched) = (try Program(files), try Program(files))
    run.port("--allow-dirty")
    let diff = patched.port("--dry-run").output.replacing(patched.folder.path + "/", with: "")
    try patched.write(diff, to: "all.diff")
    #expect(try patched.run("patch", "-s", "--binary", "-p0", "-i", "all.diff") == 0)
    for name in files.keys { #expect(try run.text(name) == patched.text(name), "\(name)") }
  }

  /// Whether the texts are the same but for the edits.
  private static func keepsBytes(_ file: ProgramPort.RewrittenFile) -> Bool {
    guard let old = file.old else { return false }
    var new = file.new[...]
    var offset = 0
    for edit in file.edits {
      let kept = old[offset..<edit.range.lowerBound]
      guard new.starts(with: kept) else { return false }
      new = new.dropFirst(kept.count + edit.replacement.utf8.count)
      offset = edit.range.upperBound
    }
    return new.elementsEqual(old[offset...])
  }

  /// The edits outside of the declarations and statements about which there is a site.
  private static func editsElsewhere(
    _ file: ProgramPort.RewrittenFile, _ sites: [Site]
  ) -> [Edit] {
    let source = SourceFile(SourceText(path: file.path, bytes: file.old ?? []))
    let places = sites.filter { $0.path == file.path && $0.status != .manual }.map { site in
      source.item(at: source.lines.start(ofLine: site.line - 1) + site.column - 1)
    }
    return file.edits.filter { edit in
      !places.contains {
        $0.lowerBound <= edit.range.lowerBound && edit.range.upperBound <= $0.upperBound
      }
    }
  }
}

extension SourceFile {
  /// The innermost declaration or statement at an offset, with its lines and the comments above;
  /// of a type, all in front of its members.
  fileprivate func item(at offset: Int) -> Range<Int> {
    var item = tree.token(at: AbsolutePosition(utf8Offset: offset)).map(Syntax.init)
    while let node = item, !node.is(CodeBlockItemSyntax.self), !node.is(MemberBlockItemSyntax.self)
    {
      item = node.parent
    }
    guard let item else { return 0..<0 }
    let members = item.children(viewMode: .sourceAccurate).first?.asProtocol(
      (any DeclGroupSyntax).self)?.memberBlock
    let end =
      members.map(\.leftBrace.end) ?? lines.range(ofLine: lines.line(at: item.end)).upperBound
    return item.position.utf8Offset..<end
  }
}
