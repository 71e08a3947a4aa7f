import Foundation
import KeyValueObserving
import Testing

@testable import KvoCommand

@Suite struct ChangePrinterTests {
  private let time = Date(timeIntervalSince1970: 1_800_000_000.125)

  @Test func `A line aligns time, key path and reason before the values`() {
    let printer = printer()
    let change = KeyValueChange<Any?>(newValue: .some("B"), oldValue: .some("A"))
    #expect(
      printer.line("title", change, at: time)
        == #"08:00:00.125  title        value changed  "A" → "B""#)
    let rewired = KeyValueChange<Any?>(
      newValue: .some(nil), oldValue: .some(1.5), reason: .pathChanged)
    #expect(
      printer.line("author.name", rewired, at: time)
        == "08:00:00.125  author.name  path changed   1.5 → null")
  }

  @Test func `A line about elements has the indexes of those that are inserted and removed`() {
    let printer = printer()
    func line(_ kind: KeyValueChangeKind, _ old: [Any?]?, _ new: [Any?]?) -> String.SubSequence {
      let change = KeyValueChange<Any?>(
        kind: kind, newValue: new, oldValue: old, indexes: RangeSet([0..<1, 3..<6]))
      return printer.line("title", change, at: time).dropFirst(27)
    }
    #expect(line(.insertion, nil, ["a"]) == #"insertion      at 0, 3–5: ["a"]"#)
    #expect(line(.removal, ["a"], nil) == #"removal        at 0, 3–5: ["a"]"#)
    #expect(line(.replacement, ["a"], [1]) == #"replacement    at 0, 3–5: ["a"] → [1]"#)
    let change = KeyValueChange<Any?>(
      kind: .insertion, newValue: .some([1, 2] as [Any?]), indexes: RangeSet([3..<5]))
    #expect(
      self.printer(isJSON: true).line("a", change, at: time)
        == #"{"time":"2027-01-15T08:00:00.125Z","keyPath":"a","reason":"insertion","#
        + #""indexes":[3, 4],"old":null,"new":[1,2]}"#)
  }

  @Test func `A JSON line is one object with the time in UTC`() throws {
    let change = KeyValueChange<Any?>(
      newValue: .some(["a", nil] as [Any?]), oldValue: .some(nil), reason: .pathChanged)
    let line = printer(isJSON: true).line("a\"b", change, at: time)
    #expect(
      line == #"{"time":"2027-01-15T08:00:00.125Z","keyPath":"a\"b","reason":"path changed","#
        + #""old":null,"new":["a",null]}"#)
    #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
  }

  @Test func `Values are written as JSON that no terminal obeys`() {
    let object = KeyValueDictionary(["b": 1, "a": [true, nil, "x"] as [Any?]])
    #expect(JSONText.text(of: object) == #"{"a":[true,null,"x"],"b":1}"#)
    #expect(JSONText.text(of: "\u{1b}[2J\u{9b}\n\t\"\\é") == #""\u001b[2J\u009b\n\t\"\\é""#)
    #expect(JSONText.text(of: JSONNumber("12345678901234567890")) == "12345678901234567890")
  }

  @Test func `Colours are there only when the output is coloured`() {
    let change = KeyValueChange<Any?>(newValue: .some(2), oldValue: .some(1))
    #expect(printer().line("a", change, at: time).contains("\u{1b}") == false)
    #expect(
      printer(isColored: true).line("a", change, at: time).hasSuffix(
        "\u{1b}[31m1\u{1b}[0m → \u{1b}[32m2\u{1b}[0m"))
  }

  @Test func `A value that is just there is printed beside its key path`() {
    #expect(printer().line("title", value: "A") == #"title        "A""#)
    #expect(
      printer(isJSON: true).line("title", value: nil) == #"{"keyPath":"title","value":null}"#)
  }

  private func printer(isJSON: Bool = false, isColored: Bool = false) -> ChangePrinter {
    let request = WatchRequest(file: "a", keyPaths: ["title", "author.name"], isJSON: isJSON)
    let output = Output(isColored: isColored, lines: .nullDevice, messages: .nullDevice)
    var printer = ChangePrinter(request, output)
    printer.timeZone = .gmt
    return printer
  }
}
