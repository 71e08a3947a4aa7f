import Foundation
import Testing

@Suite("A printed program")
struct PrintedProgramTests {
  @Test("What is printed of a program is Swift that does the same")
  func printedProgram() throws {
    let program = Program(statements: PrintedProgramTests.statements)
    let whole = Program(statements: program.statements + Program.finale)
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Printed.swift")
    let source = try String(contentsOf: file, encoding: .utf8)
    let body = Printer.source(of: whole).split(separator: "\n").map { "  \($0)\n" }.joined()
    #expect(source.contains("{\n\(body)  return story\n}"), "The printer writes:\n\(body)")
    let delivered = try printed().events.map(\.description)
    #expect(delivered == EngineRun.run(program).history.flatMap { $0.map(\.description) })
  }

  /// Every kind of statement, API and action, without a deallocation at an unspecified time.
  private static var statements: [Statement] {
    [
      .set(0, .next, .node(1)),
      .observe(
        Registration(
          observer: 0, root: 0, path: [.next, .x], options: [.new, .old, .initial], surface: .typed,
          actions: [
            .set(1, .x, .number(2)),
            .observe(
              Registration(
                observer: 1, root: 2, path: [.tags], options: [.new, .initial], surface: .string)),
            .end(observer: 3),
          ])),
      .observe(
        Registration(
          observer: 2, root: 1, path: [.friend, .next, .sum], options: [.prior, .old, .new],
          surface: .string, priorActions: [.end(observer: 4)])),
      .observe(
        Registration(observer: 3, root: 1, path: [.x], options: [.distinct], surface: .reasons)),
      .set(1, .x, .number(1)),
      .set(1, .x, .number(1)),
      .set(1, .friend, .node(0)),
      .scope(1, .y, [.set(1, .y, .number(1)), .will(1, .x, byKey: true), .mutate(1, .add(.x, 2))]),
      .did(1, .x, byKey: false),
      .burst(1, .y, 3..<5),
      .edit(2, .insert(4, at: 3), by: .proxy),
      .edit(2, .replace(at: 3, with: 5), by: .proxy),
      .edit(2, .remove(at: 1), by: .proxy),
      .edit(2, .append([2, 1]), by: .proxy),
      .edit(2, .sort, by: .proxy),
      .edit(2, .removeAll(2), by: .proxy),
      .edit(2, .insert(6, at: 0), by: .block),
      .edit(2, .remove(at: 0), by: .pair),
      .mutate(2, .append(3)),
      .mutate(2, .failAfterAppending(3)),
      .mutate(2, .removeAll(3)),
      .set(2, .bonus, .number(1)),
      .end(observer: 2),
      .set(0, .next, .node(nil)),
      .set(1, .friend, .node(nil)),
      .drop(1),
      .make(1), .make(0), .make(2),
    ]
  }
}
