import KeyValueObserving

/// A property of each type to which values are converted.
@KeyValueObservable
final class Sample {
  var int8: Int8 = 1
  var int16: Int16 = 1
  var int32: Int32 = 1
  var int64: Int64 = 1
  var int = 1
  var int128: Int128 = 1
  var uint8: UInt8 = 1
  var uint16: UInt16 = 1
  var uint32: UInt32 = 1
  var uint64: UInt64 = 1
  var uint: UInt = 1
  var uint128: UInt128 = 1
  var float: Float = 1
  var double = 1.0
  var bool = false
  var string = ""
  var character: Character = "a"
  var state = State.draft
  var flags: Flags = []
  var range = 0..<1
  var optionalInt: Int?
  var optionalBool: Bool?
  var optionalString: String?
  var twiceOptional: Double??
  var strings: [String] = []
  var optionalStrings: [String?] = []
  var numbers: [Double] = []
  var bytes: ContiguousArray<UInt8> = []
  var matrix: [[Int]] = []
  var ints: Set<Int> = []
  var counts: [String: Int] = [:]
  var names: [Int: String] = [:]
  var lists: [String: [Int8]] = [:]
  var anything: Any?
  var list: [Any?] = []
  var hashable: (any Hashable)?
  var friend: Friend?
  var friends: [Friend] = []
  private(set) var sealed = 1
  let constant = 1
  var computed: Int { int8 == 1 ? 1 : 2 }

  enum State: String { case draft, published }

  struct Flags: OptionSet, Hashable {
    let rawValue: UInt8
  }
}

/// An object, of which there is a subclass.
@KeyValueObservable
class Friend {
  var name = ""
}

final class CloseFriend: Friend {}

/// Not observable, nor hashable.
final class Stone {}

/// Not hashable, nor equatable.
struct Opaque {}
