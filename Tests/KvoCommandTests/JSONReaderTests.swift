import Foundation
import Testing

@testable import KvoCommand

@Suite struct JSONReaderTests {
  @Test func `Every kind of value is kept apart`() throws {
    let text = #"{"a": null, "b": true, "c": 1, "d": 0.5, "e": "1", "f": [1, []], "g": {}}"#
    #expect(
      try read(text)
        == .object([
          "a": .null, "b": .bool(true), "c": .number(.integer(1)), "d": .number(.double(0.5)),
          "e": .string("1"), "f": .array([.number(.integer(1)), .array([])]), "g": .object([:]),
        ]))
  }

  @Test(arguments: [
    ("1", JSONNumber.integer(1)), ("-0", .integer(0)), ("1.0", .integer(1)), ("1e2", .integer(100)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .decimal(Decimal(string: "9223372036854775808")!)),
    ("92233720368547758080e-1", .decimal(Decimal(string: "9223372036854775808")!)),
    ("1e400", .literal("1e400")),
    ("0.1", .double(0.1)), ("1.5E-3", .double(0.0015)), ("0.0", .integer(0)),
    ("0.1234567890123456789", .decimal(Decimal(string: "0.1234567890123456789")!)),
    (String(repeating: "1", count: 50), .literal(String(repeating: "1", count: 50))),
    ("1e99999999999999999999", .literal("1e99999999999999999999")),
    ("1e9223372036854775807", .literal("1e9223372036854775807")),
    ("10e9223372036854775807", .literal("10e9223372036854775807")),
    ("1.5e-9223372036854775808", .literal("1.5e-9223372036854775808")),
    ("0.0e-9223372036854775808", .integer(0)),
  ])
  func `No number loses a digit`(text: String, number: JSONNumber) throws {
    #expect(try read(text) == .number(number))
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e9""#, "é"),
    (#""\ud83d\ude00""#, "😀"), ("\"grün 😀\"", "grün 😀"),
  ])
  func `Escapes stand for characters`(text: String, string: String) throws {
    #expect(try read(text) == .string(string))
  }

  @Test func `The last value of a key that is there twice counts, in the place of the first`()
    throws
  {
    guard case .object(let object) = try read(#"{"a": 1, "b": 2, "a": 3}"#) else {
      return #expect(Bool(false))
    }
    #expect(object.keys == ["a", "b"])
    #expect(object["a"] == .number(.integer(3)))
  }

  @Test func `A byte order mark is no error`() throws {
    #expect(try read("\u{feff}{}") == .object([:]))
  }

  @Test(arguments: [
    ("", 1, 1, "the document is empty"),
    ("\n  \n", 3, 1, "the document is empty"),
    ("{\"a\": 1", 1, 8, "the document ends inside the object that begins in line 1"),
    ("{\n\"a\": [1,\n", 3, 1, "the document ends inside the array that begins in line 2"),
    ("{\"a\": \"x", 1, 9, "the document ends inside the string that begins in line 1"),
    ("{\"a\":", 1, 6, "the document ends inside the object that begins in line 1"),
    ("{\"a\": 1,\n \"b\": tru}", 2, 7, "'tru' is not a value"),
    ("{\"ü\" 1}", 1, 6, "expected ':' after the key \"ü\", found '1'"),
    ("{\r\n\"a\": 1\r\n\"b\": 2}", 3, 1, "expected ',' or '}' after the value, found '\"'"),
    ("{\"a\": 1,}", 1, 8, "nothing follows this ',' in the object, remove it"),
    ("[1,2,]", 1, 5, "nothing follows this ',' in the array, remove it"),
    ("{\"a\": 'x'}", 1, 7, "a string stands in double quotes"),
    ("{a: 1}", 1, 2, "expected a key in double quotes, found 'a'"),
    ("{\"a\": }", 1, 7, "expected a value, found '}'"),
    ("{} x", 1, 4, "expected the end of the document, found 'x'"),
    ("[01]", 1, 2, "a number cannot begin with 0"),
    ("[1.]", 1, 4, "expected a digit after the point of a number, found ']'"),
    ("[-]", 1, 3, "expected a digit in a number, found ']'"),
    ("[1e]", 1, 4, "expected a digit in the exponent of a number, found ']'"),
    ("[\"a\nb\"]", 1, 4, "the string has no closing quote in its line"),
    ("[\"\u{1}\"]", 1, 3, "a control character in a string is written as an escape"),
    ("[\"\\q\"]", 1, 3, "'\\' begins no escape here"),
    ("[\"\\u12g4\"]", 1, 3, "\\u takes four hexadecimal digits"),
    ("[\"\\ud800x\"]", 1, 3, "the escape is half of a surrogate pair"),
  ])
  func `An error says where it is and what is wrong`(
    text: String, line: Int, column: Int, problem: String
  ) throws {
    let error = #expect(throws: JSONError.self) { try read(text) }
    #expect(error?.line == line)
    #expect(error?.column == column)
    #expect(error?.problem.hasPrefix(problem) == true, "\(error?.problem ?? "")")
    // The sentence around it ends with a full stop.
    #expect(error?.problem.last != "?" && error?.problem.last != ".")
  }

  @Test func `Bytes that are not UTF-8 are an error at their place`() throws {
    let error = #expect(throws: JSONError.self) {
      try JSONReader.read(Array("{\"é\":\n\"".utf8) + [0xFF] + Array("\"}".utf8))
    }
    #expect(error?.line == 2)
    #expect(error?.column == 2)
  }

  @Test func `Nesting without end is an error, not a crash`() throws {
    let error = #expect(throws: JSONError.self) {
      try read(String(repeating: "[", count: 1_000_000))
    }
    #expect(error?.column == 513)
  }

  @Test func `No half of a document is taken for a document`() throws {
    let bytes = Array(#"{"a": [1.5, true, null], "b": {"c": "d\u00e9\n"}, "e": -1e3}"#.utf8)
    for count in bytes.indices {
      #expect(throws: JSONError.self) { try JSONReader.read(Array(bytes[..<count])) }
    }
  }

  private func read(_ text: String) throws -> JSONValue {
    try JSONReader.read(Array(text.utf8))
  }
}
