extension JSONReader {
  mutating func readNumber() throws(JSONError) -> JSONNumber {
    let start = offset
    _ = take("-")
    let integer = offset
    try readDigits("in a number")
    if text(from: integer).hasPrefix("0"), offset > integer + 1 {
      throw error("a number cannot begin with 0", at: start)
    }
    if take(".") { try readDigits("after the point of a number") }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try readDigits("in the exponent of a number")
    }
    return JSONNumber(text(from: start))
  }

  private mutating func readDigits(_ place: String) throws(JSONError) {
    let start = offset
    while let scalar = peek, "0"..."9" ~= scalar { advance() }
    if offset == start { throw error("expected a digit \(place), found \(found)") }
  }

  mutating func readString() throws(JSONError) -> String {
    let start = offset
    var result = ""
    advance()
    while true {
      let chunk = offset
      while let scalar = peek, scalar >= " ", scalar != "\"", scalar != "\\" { advance() }
      result += text(from: chunk)
      try checkEnd("the string", from: start)
      if take("\"") { return result }
      if take("\\") {
        result.unicodeScalars.append(try readEscape())
      } else if peek == "\n" || peek == "\r" {
        throw error("the string has no closing quote in its line; write \\n for a line break")
      } else {
        throw error("a control character in a string is written as an escape (\\t, \\u0001)")
      }
    }
  }

  /// Reads what follows a backslash.
  private mutating func readEscape() throws(JSONError) -> Unicode.Scalar {
    let start = offset - 1
    defer { advance() }
    switch peek {
    case "\"": return "\""
    case "\\": return "\\"
    case "/": return "/"
    case "b": return "\u{8}"
    case "f": return "\u{c}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": return try readCodePoint(from: start)
    default:
      throw error("'\\' begins no escape here; a backslash itself is written \\\\", at: start)
    }
  }

  /// Reads the four digits behind `\u`, and a second such escape where two make one scalar.
  private mutating func readCodePoint(from start: Int) throws(JSONError) -> Unicode.Scalar {
    let unit = try readHexadecimal(from: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    if UTF16.isLeadSurrogate(unit) {
      advance()
      if take("\\"), peek == "u" {
        let trail = try readHexadecimal(from: start)
        if UTF16.isTrailSurrogate(trail) {
          let high = UInt32(unit - 0xD800) << 10
          return Unicode.Scalar(0x10000 + high + UInt32(trail - 0xDC00)) ?? "\u{fffd}"
        }
      }
    }
    throw error("the escape is half of a surrogate pair and stands for no character", at: start)
  }

  private mutating func readHexadecimal(from start: Int) throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      advance()
      guard let digit = peek.flatMap({ Character($0).hexDigitValue }) else {
        throw error("\\u takes four hexadecimal digits", at: start)
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
