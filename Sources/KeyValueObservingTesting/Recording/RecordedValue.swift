internal import KeyValueObservingCore

/// A value in a history, compared by equality, an object by identity, other values component by
/// component.
struct RecordedValue: Equatable, CustomStringConvertible {
  /// Never an optional in an optional.
  private let value: Any?

  init(_ value: Any?) {
    var value = value
    while let present = value {
      let mirror = Mirror(reflecting: present)
      guard mirror.displayStyle == .optional else { break }
      value = mirror.children.first?.value
    }
    self.value = value
  }

  /// The description with the type, and of an object with its address, for values whose
  /// descriptions are equal.
  var detailedDescription: String {
    guard let value else { return "nil" }
    let type = spelling(of: type(of: value))
    guard Swift.type(of: value) is AnyClass else { return "\(self) of type \(type)" }
    let address = UInt(bitPattern: ObjectIdentifier(value as AnyObject))
    return "\(self) of type \(type) at 0x\(String(address, radix: 16))"
  }

  /// The value as a Swift literal, if it has one.
  var description: String {
    guard let value else { return "nil" }
    return value is String || value is [String] || value is Set<String>
      ? String(reflecting: value) : String(describing: value)
  }

  static func == (left: Self, right: Self) -> Bool {
    switch (left.value, right.value) {
    case (nil, nil): true
    case (let left?, let right?): isSame(left, right)
    default: false
    }
  }

  private static func isSame(_ left: Any, _ right: Any) -> Bool {
    guard type(of: left) == type(of: right) else { return false }
    if let left = left as? any Equatable { return isEqual(left, right) }
    if type(of: left) is AnyClass { return left as AnyObject === right as AnyObject }
    if let left = entries(of: left), let right = entries(of: right) { return left == right }
    let (leftParts, rightParts) = (parts(of: left), parts(of: right))
    // Values without components are compared by their descriptions, such as the cases of an
    // enumeration. Closures cannot be distinguished.
    if leftParts.isEmpty, rightParts.isEmpty {
      return String(describing: left) == String(describing: right)
    }
    return leftParts == rightParts
  }

  private static func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
    left == right as? Value
  }

  /// The entries of a dictionary, which may have another order in an equal one.
  private static func entries(of value: Any) -> [AnyHashable: RecordedValue]? {
    guard Mirror(reflecting: value).displayStyle == .dictionary else { return nil }
    return (value as? [AnyHashable: Any])?.mapValues { Self($0) }
  }

  private static func parts(of value: Any) -> [Part] {
    Mirror(reflecting: value).children.map { Part(label: $0.label, value: Self($0.value)) }
  }

  private struct Part: Equatable {
    let label: String?
    let value: RecordedValue
  }
}
