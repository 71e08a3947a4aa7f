/// Reads a JSON document (RFC 8259).
///
/// Foundation's readers are not used because on Linux they do not say where an error is, accept a
/// comma after the last element, and round long numbers.
struct JSONReader {
  private let bytes: [UInt8]
  private(set) var offset = 0
  private var depth = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads a whole document.
  static func read(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    var reader = JSONReader(bytes)
    try reader.checkEncoding()
    reader.skipByteOrderMark()
    reader.skipSpace()
    if reader.peek == nil { throw reader.error("the document is empty") }
    let value = try reader.readValue()
    reader.skipSpace()
    if reader.peek != nil {
      throw reader.error("expected the end of the document, found \(reader.found)")
    }
    return value
  }

  // MARK: Values

  private mutating func readValue() throws(JSONError) -> JSONValue {
    switch peek {
    case "{": return .object(try nested { (reader) throws(JSONError) in try reader.readObject() })
    case "[": return .array(try nested { (reader) throws(JSONError) in try reader.readArray() })
    case "\"": return .string(try readString())
    case "-", ("0"..."9")?: return .number(try readNumber())
    case ("a"..."z")?, ("A"..."Z")?: return try readWord()
    case "'": throw error("a string stands in double quotes, not in single ones")
    default: throw error("expected a value, found \(found)")
    }
  }

  /// A document may be made to nest without end; the stack of the process ends.
  private mutating func nested<Value>(
    _ read: (inout JSONReader) throws(JSONError) -> Value
  ) throws(JSONError) -> Value {
    if depth == 512 { throw error("values are nested more than 512 levels deep") }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  private mutating func readObject() throws(JSONError) -> JSONObject {
    let start = offset
    var object = JSONObject()
    advance()
    skipSpace()
    if take("}") { return object }
    while true {
      try checkEnd("the object", from: start)
      guard peek == "\"" else {
        throw error("expected a key in double quotes, found \(found)")
      }
      let key = try readString()
      skipSpace()
      try checkEnd("the object", from: start)
      guard take(":") else { throw error("expected ':' after the key \"\(key)\", found \(found)") }
      skipSpace()
      try checkEnd("the object", from: start)
      object.set(key, to: try readValue())
      if try readSeparator(before: "}", of: "the object", from: start) { return object }
    }
  }

  private mutating func readArray() throws(JSONError) -> [JSONValue] {
    let start = offset
    var elements: [JSONValue] = []
    advance()
    skipSpace()
    if take("]") { return elements }
    while true {
      try checkEnd("the array", from: start)
      elements.append(try readValue())
      if try readSeparator(before: "]", of: "the array", from: start) { return elements }
    }
  }

  /// Reads a comma or the bracket that closes `container`.
  ///
  /// Returns whether it was the bracket.
  private mutating func readSeparator(
    before bracket: Unicode.Scalar, of container: String, from start: Int
  ) throws(JSONError) -> Bool {
    skipSpace()
    if take(bracket) { return true }
    try checkEnd(container, from: start)
    let comma = offset
    guard take(",") else {
      throw error("expected ',' or '\(bracket)' after the value, found \(found)")
    }
    skipSpace()
    if peek == bracket {
      throw error("nothing follows this ',' in \(container), remove it", at: comma)
    }
    return false
  }

  private mutating func readWord() throws(JSONError) -> JSONValue {
    let start = offset
    while let scalar = peek, scalar.isASCII, scalar.properties.isAlphabetic { advance() }
    switch text(from: start) {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    case let word:
      throw error("'\(word)' is not a value, a string stands in double quotes", at: start)
    }
  }

  // MARK: Bytes

  /// The byte at the current place.
  ///
  /// All that the grammar knows is ASCII; a larger byte is part of a character in a string.
  var peek: Unicode.Scalar? { offset < bytes.count ? Unicode.Scalar(bytes[offset]) : nil }

  mutating func advance() { offset += 1 }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    advance()
    return true
  }

  func text(from start: Int) -> String { String(decoding: bytes[start..<offset], as: UTF8.self) }

  private mutating func skipSpace() {
    while peek == " " || peek == "\n" || peek == "\r" || peek == "\t" { advance() }
  }

  private mutating func skipByteOrderMark() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  // MARK: Errors

  func error(_ problem: String, at offset: Int? = nil) -> JSONError {
    JSONError(problem, at: offset ?? self.offset, in: bytes)
  }

  /// The character at the current offset, for a message.
  var found: String {
    guard offset < bytes.count else { return "the end of the document" }
    let rest = String(decoding: bytes[offset...].prefix(32), as: UTF8.self)
    guard let character = rest.first, !character.isNewline else { return "the end of the line" }
    return "'\(character)'"
  }

  /// Half a save usually ends inside something, so the message says where that begins.
  func checkEnd(_ container: String, from start: Int) throws(JSONError) {
    guard peek == nil else { return }
    let line = error("", at: start).line
    throw error("the document ends inside \(container) that begins in line \(line)")
  }

  private func checkEncoding() throws(JSONError) {
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    // The repaired text differs first where the first byte is that has no place in UTF-8.
    let repaired = String(decoding: bytes, as: UTF8.self).utf8
    let place = zip(bytes, repaired).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    throw error("the document is not UTF-8, save it in that encoding", at: place ?? bytes.count)
  }
}
