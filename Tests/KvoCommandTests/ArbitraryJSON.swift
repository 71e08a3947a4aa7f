import TestSupport

@testable import KvoCommand

extension JSONValue {
  /// An array of few different values, so that two have many elements in common.
  static func arbitraryArray(using random: inout SplitMix, depth: Int = 0) -> [JSONValue] {
    (0..<Int.random(in: 0...8, using: &random)).map { _ in
      arbitrary(using: &random, depth: depth + 1)
    }
  }

  private static func arbitrary(using random: inout SplitMix, depth: Int) -> JSONValue {
    switch Int.random(in: 0...(depth < 3 ? 9 : 5), using: &random) {
    case 0: .null
    case 1...5: .number(.integer(Int.random(in: 0...3, using: &random)))
    case 6: .array(arbitraryArray(using: &random, depth: depth))
    default: .object(arbitraryObject(using: &random, depth: depth))
    }
  }

  private static func arbitraryObject(
    using random: inout SplitMix, depth: Int
  ) -> JSONObject {
    var object: JSONObject = [:]
    for key in ["id", "a", "b"] where Bool.random(using: &random) {
      object.set(key, to: arbitrary(using: &random, depth: depth + 1))
    }
    return object
  }
}
