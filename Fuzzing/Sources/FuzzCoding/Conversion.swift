import FuzzSupport

/// The contract of conversions (P42), implemented again without the library.
enum Conversion {
  /// Whether a value is still what it was, whatever types it has now and had before.
  static func isKept(_ given: Any?, as found: Any?) -> Bool {
    guard let given = flat(given), let found = flat(found) else {
      return flat(given) == nil && flat(found) == nil
    }
    if let given = Exact(given), let found = Exact(found) { return given == found }
    switch found {
    case let state as Sample.State where given is String: return isKept(given, as: state.rawValue)
    case let flags as Sample.Flags where Exact(given) != nil:
      return isKept(given, as: flags.rawValue)
    default: break
    }
    let (givenMirror, foundMirror) = (Mirror(reflecting: given), Mirror(reflecting: found))
    guard givenMirror.displayStyle == foundMirror.displayStyle else { return false }
    let givens = givenMirror.children.map(\.value)
    let founds = foundMirror.children.map(\.value)
    switch givenMirror.displayStyle {
    case .collection, .tuple:
      return givens.count == founds.count && zip(givens, founds).allSatisfy { isKept($0, as: $1) }
    case .set, .dictionary:
      return givens.count == founds.count
        && givens.allSatisfy { given in founds.contains { isKept(given, as: $0) } }
    default:
      return valueText(given) == valueText(found)
    }
  }

  /// Whether a key takes a value; nil if that is not said here.
  static func isTaken(_ value: Any?, by key: String) -> Bool? {
    if ["sealed", "constant", "computed"].contains(key) { return false }
    guard let value = flat(value) else {
      return takesNil.contains(key)
    }
    if let number = numbers[key] { return Exact(value).map { $0.fits(number) } ?? false }
    switch key {
    case "anything": return true
    case "string", "optionalString": return value is String
    case "character": return value is Character
    case "state":
      return value is Sample.State || (value as? String).flatMap(Sample.State.init) != nil
    case "flags": return value is Sample.Flags || (Exact(value)?.fits(UInt8(0)) ?? false)
    case "range": return value is Range<Int>
    case "friend": return value is Friend
    case "hashable": return value is any Hashable ? true : nil
    default: return nil
    }
  }

  private static let takesNil: Set = [
    "optionalInt", "optionalBool", "optionalString", "twiceOptional", "anything", "hashable",
    "friend",
  ]

  /// One number of the type of each key that holds one.
  private static let numbers: [String: any Sendable] = [
    "int8": Int8(0), "int16": Int16(0), "int32": Int32(0), "int64": Int64(0), "int": 0,
    "int128": Int128(0), "uint8": UInt8(0), "uint16": UInt16(0), "uint32": UInt32(0),
    "uint64": UInt64(0), "uint": UInt(0), "uint128": UInt128(0), "float": Float(0), "double": 0.0,
    "bool": false, "optionalInt": 0, "optionalBool": false, "twiceOptional": 0.0,
  ]

  /// A value without optional layers.
  static func flat(_ value: Any?) -> Any? {
    guard let value else { return nil }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return flat(mirror.children.first?.value)
  }
}
