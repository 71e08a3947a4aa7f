/// A value of a JSON document, as it was written.
enum JSONValue: Hashable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// The name of this kind of value in messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// The members of a JSON object in the order of the document, in which changes are reported.
struct JSONObject {
  private(set) var keys: [String] = []
  private var values: [String: JSONValue] = [:]

  /// The value of a key.
  ///
  /// Of a key that is there twice, the last value counts, as in other readers.
  subscript(key: String) -> JSONValue? {
    values[key]
  }

  mutating func set(_ key: String, to value: JSONValue) {
    if values.updateValue(value, forKey: key) == nil { keys.append(key) }
  }
}

/// Two objects are equal if their members are, in whatever order.
extension JSONObject: Hashable {
  static func == (left: Self, right: Self) -> Bool { left.values == right.values }
  func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral members: (String, JSONValue)...) {
    for (key, value) in members { set(key, to: value) }
  }
}
