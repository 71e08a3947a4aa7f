import Foundation
import Testing

@testable import KvoCommand

@Suite struct TourTests {
  @Test func `The code shown is the code that runs`() throws {
    var shown = try Self.shownLines(of: "TourModel")
    #expect(shown == TourModel.code)
    for (scene, file) in zip(
      Tour.scenes,
      [
        "SwappedToken", "SeveralProperties", "Reasons", "WeakLink", "WrongMoments", "ContentSize",
        "Transaction", "Undo", "Binding",
      ])
    {
      shown = try Self.shownLines(of: "Scene+\(file)")
      #expect(shown == scene.code)
    }
  }

  @Test(arguments: [
    (0, ["the title is now First, revised", "the title is now Second, revised"]),
    (
      1,
      [
        "draw 'Notes on the Engine' by unknown", "draw 'Notes on the Engine' by Ada",
        "draw 'Notes on the Engine' by Ada Lovelace",
      ]
    ),
    (
      2,
      [
        "valueChanged: the author is Ada Lovelace", "pathChanged: the author is Grace",
        "pathChanged: the author is unknown", "sourceDeleted: the author is unknown",
      ]
    ),
    (3, ["valueChanged: the editor is Grace Hopper", "pathChanged: the editor is gone"]),
    (
      4,
      [
        "once, then never again: Notes on the Engine",
        "registered in a callback: Notes on the Analytical Engine",
        "ended twice, and after the deallocation",
      ]
    ),
    (
      5,
      [
        "the content is 0.0 wide", "the content is 1600.0 wide",
        "jump to page 3, at 960.0",
      ]
    ),
    (6, ["views: setting from 0 to 2", "there are still 2"]),
    (
      7,
      [
        "'Sketches' by Ada", "'Sketches' by Ada Lovelace", "'Sketches' by Ada", "'Notes' by Ada",
        "'Sketches' by Ada",
      ]
    ),
    (
      8,
      [
        "the draft is Ada Lovelace, the person Ada Lovelace",
        "the draft is Grace, the person Grace",
      ]
    ),
  ])
  func `A scene prints what it claims`(place: Int, lines: [String]) {
    final class Log {
      var lines: [String] = []
    }
    let log = Log()
    Tour.scenes[place].run { log.lines.append($0) }
    #expect(log.lines == lines)
  }

  /// The lines between the marks of a source file, indented as if they stood alone.
  private static func shownLines(of file: String) throws -> String {
    let package = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let url = package.appending(path: "Sources/KvoCommand/Tour/\(file).swift")
    let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
    let marks = lines.indices.filter {
      let line = lines[$0].drop { $0 == " " }
      return line == "// shown" || line == "// end of what is shown"
    }
    try #require(marks.count == 2)
    let indentation = lines[marks[0]].prefix { $0 == " " }.count
    return lines[(marks[0] + 1)..<marks[1]].map { String($0.dropFirst(indentation)) }
      .joined(separator: "\n")
  }
}
