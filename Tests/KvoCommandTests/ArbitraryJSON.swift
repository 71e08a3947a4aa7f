@testable import KvoCommand

/// Makes the same numbers from the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}

extension JSONValue {
  /// An array of few different values, so that two have many elements in common.
  static func arbitraryArray(using random: inout SeededGenerator, depth: Int = 0) -> [JSONValue] {
    (0..<Int.random(in: 0...8, using: &random)).map { _ in
      arbitrary(using: &random, depth: depth + 1)
    }
  }

  private static func arbitrary(using random: inout SeededGenerator, depth: Int) -> JSONValue {
    switch Int.random(in: 0...(depth < 3 ? 9 : 5), using: &random) {
    case 0: .null
    case 1...5: .number(.integer(Int.random(in: 0...3, using: &random)))
    case 6: .array(arbitraryArray(using: &random, depth: depth))
    default: .object(arbitraryObject(using: &random, depth: depth))
    }
  }

  private static func arbitraryObject(
    using random: inout SeededGenerator, depth: Int
  ) -> JSONObject {
    var object: JSONObject = [:]
    for key in ["id", "a", "b"] where Bool.random(using: &random) {
      object.set(key, to: arbitrary(using: &random, depth: depth + 1))
    }
    return object
  }
}
