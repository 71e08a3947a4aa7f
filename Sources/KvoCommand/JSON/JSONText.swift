import Foundation
import KeyValueObserving

/// Writes live values as compact JSON, so that a line shows them as the document does.
enum JSONText {
  /// A value that was written when it was still what it says.
  struct Written: Equatable {
    let text: String

    init(_ value: Any?) { text = JSONText.text(of: value) }
  }

  static func text(of value: Any?) -> String {
    switch value {
    case nil: "null"
    case let bool as Bool: bool ? "true" : "false"
    case let string as String: quoted(string)
    case let written as Written: written.text
    case let array as [Any?]: "[" + array.map { text(of: $0) }.joined(separator: ",") + "]"
    case let object as KeyValueDictionary: text(of: object)
    case let value?: String(describing: value)
    }
  }

  private static func text(of object: KeyValueDictionary) -> String {
    let members = object.keys.sorted().map { quoted($0) + ":" + text(of: object[$0]) }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// `string` in quotes, with every character escaped that a terminal could obey.
  static func quoted(_ string: String) -> String {
    var result = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\0"..<" ", "\u{7f}"..."\u{9f}": result += escape(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
