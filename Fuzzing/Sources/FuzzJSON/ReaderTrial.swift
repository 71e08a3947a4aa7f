import Foundation
import FuzzSupport

@testable import FuzzedCommand

/// Reads a document and writes it again, and asks Foundation whether it is one.
struct ReaderTrial {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the document, nil if it is none.
  func run() -> JSONValue? {
    do throws(JSONError) {
      let value = try JSONReader.read(bytes)
      checkPrinting(value)
      // Foundation refuses numbers that no `Double` can hold.
      claim(value.hasLongNumber || isTakenByFoundation, "Foundation refuses '\(text)'")
      return value
    } catch {
      check(error)
      claim(
        !isTakenByFoundation || isLenience(error), "Foundation takes '\(text)': \(error)")
      return nil
    }
  }

  private var text: String { String(decoding: bytes, as: UTF8.self) }

  private func checkPrinting(_ value: JSONValue) {
    let printed = JSONText.text(of: value.live)
    do throws(JSONError) {
      let again = try JSONReader.read(Array(printed.utf8))
      claimEqual(again, value, "what '\(text)' is printed as")
    } catch {
      claim(false, "'\(text)' is printed as '\(printed)': \(error)")
    }
  }

  /// An error is in the document.
  private func check(_ error: JSONError) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    claim((1...lines.count).contains(error.line), "'\(text)' has no line of '\(error)'")
    let line = String(decoding: lines[error.line - 1], as: UTF8.self)
    claim((1...(line.count + 1)).contains(error.column), "'\(text)' has no column of '\(error)'")
    claim(!error.problem.isEmpty, "no description")
  }

  private var isTakenByFoundation: Bool {
    (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
  }

  /// Whether Foundation is known to take what is refused here.
  private func isLenience(_ error: JSONError) -> Bool {
    // Foundation takes bytes with zeros for UTF-16 or UTF-32.
    if bytes.prefix(4).contains(0) { return true }
    let lenient = [
      "nothing follows this ','",  // the comma behind the last element
      "values are nested",  // a limit of ours
      "the document is not UTF-8",  // UTF-16 and UTF-32 with a byte order mark
    ]
    return lenient.contains { error.problem.hasPrefix($0) }
  }
}

extension JSONValue {
  /// The value as the live document holds it.
  var live: Any? {
    let document = Document()
    document.apply(["value": self])
    return document.root["value"]
  }

  fileprivate var hasLongNumber: Bool {
    switch self {
    case .number(.literal), .number(.decimal): return true
    case .array, .object: return elements.contains(where: \.hasLongNumber)
    default: return false
    }
  }

  /// The elements of an array, or what is in an object, or the value alone.
  var elements: [JSONValue] {
    switch self {
    case .array(let elements): elements
    case .object(let object): object.keys.compactMap { object[$0] }
    default: [self]
    }
  }

  /// An object with the value in it, or the value itself if it is one.
  var document: JSONObject {
    if case .object(let object) = self { return object }
    return ["a": self]
  }

  /// A later version: what came first goes to the end, and what came second is gone.
  var variant: JSONValue {
    switch self {
    case .array(let elements):
      return .array(elements.dropFirst(2).map(\.variant) + elements.prefix(1))
    case .object(let object):
      var variant: JSONObject = [:]
      for key in object.keys.dropFirst(2) + object.keys.prefix(1) {
        if let value = object[key] { variant.set(key, to: value.variant) }
      }
      return .object(variant)
    default: return self
    }
  }
}
