import FuzzSupport

extension InputReader {
  /// A value of one of many types, mostly near the limits of what others can hold.
  mutating func value(depth: Int = 0) -> Any? {
    let choice = number(below: depth < 3 ? 30 : 21)
    switch choice {
    case 0: return nil
    case 1: return Int8(truncatingIfNeeded: number)
    case 2: return Int16(truncatingIfNeeded: number)
    case 3: return Int32(truncatingIfNeeded: number)
    case 4: return Int64(truncatingIfNeeded: number)
    case 5: return Int(truncatingIfNeeded: number)
    case 6: return number
    case 7: return UInt8(truncatingIfNeeded: number)
    case 8: return UInt16(truncatingIfNeeded: number)
    case 9: return UInt32(truncatingIfNeeded: number)
    case 10: return UInt64(truncatingIfNeeded: number)
    case 11: return UInt(truncatingIfNeeded: number)
    case 12: return UInt128(truncatingIfNeeded: number)
    case 13: return Float(floating)
    case 14: return floating
    case 15: return bool()
    case 16: return string
    case 17: return Character("é")
    case 18: return [Sample.State.draft, .published][number(below: 2)]
    case 19: return Sample.Flags(rawValue: byte())
    case 20: return other
    case 21: return Int?.some(Int(truncatingIfNeeded: number)) as Any
    case 22: return String??.some(bool() ? .some(string) : .none) as Any
    case 23: return array(below: 5) { $0.value(depth: depth + 1) }
    case 24: return array(below: 5) { Int(truncatingIfNeeded: $0.number) }
    case 25: return ContiguousArray(array(below: 5) { $0.floating })
    case 26: return Set(array(below: 5) { AnyHashable($0.bool() ? $0.string : $0.key) })
    case 27: return Dictionary(array(below: 5) { ($0.string, $0.value(depth: depth + 1)) }) { $1 }
    case 28: return Dictionary(array(below: 5) { ($0.key, $0.string) }) { $1 }
    default: return Set(array(below: 5) { Int8(truncatingIfNeeded: $0.number) })
    }
  }

  /// A number of any size, often where a type of numbers ends.
  private var number: Int128 {
    mutating get {
      let choice = byte()
      let offset = Int128(Int8(truncatingIfNeeded: integer(UInt8.self)))
      switch choice % 8 {
      case 0, 1: return offset
      case 2: return (Int128(1) << Int128(choice / 8 * 4)) &+ offset
      case 3: return -(Int128(1) << Int128(choice / 8 * 4)) &+ offset
      case 4: return Int128(Int64.max) + offset
      case 5: return Int128(UInt64.max) + offset
      case 6: return Int128.max &+ offset
      default: return integer()
      }
    }
  }

  private var floating: Double {
    mutating get {
      let choice = byte()
      switch choice % 8 {
      case 0: return Double(Int8(truncatingIfNeeded: integer(UInt8.self)))
      case 1: return Double(number)
      case 2: return .nan
      case 3: return choice & 8 == 0 ? .infinity : -.infinity
      case 4:
        return element(of: [0, -0.0, 0.1, 0.5, 1e300, .leastNonzeroMagnitude, 1, 16_777_217])
      case 5: return Double(Float(bitPattern: integer()))
      default: return Double(bitPattern: integer())
      }
    }
  }

  private var string: String {
    mutating get {
      let words = ["draft", "published", "", "a", "1", "true", "é", "e\u{301}", "int8", "1e2"]
      let choice = Int(byte())
      if choice < 200 { return words[choice % words.count] }
      return String(decoding: array(below: 8) { $0.byte() }, as: UTF8.self)
    }
  }

  /// A key that may have one meaning in a dictionary and another one after its conversion.
  private var key: AnyHashable {
    mutating get {
      switch number(below: 5) {
      case 0: bool()
      case 1: Int(byte())
      case 2: floating
      case 3: UInt8(byte())
      default: string
      }
    }
  }

  private var other: Any {
    mutating get {
      switch number(below: 6) {
      case 0: Friend()
      case 1: CloseFriend()
      case 2: Stone()
      case 3: Opaque()
      case 4: 0..<3
      default: [Friend(), CloseFriend()]
      }
    }
  }
}
