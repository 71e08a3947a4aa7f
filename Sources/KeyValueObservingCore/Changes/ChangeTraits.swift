// A change of more parts would be destroyed by way of its type's metadata, which takes a fifth of
// the time of a set (row: set String).
/// All of a change but its values, in one byte.
@usableFromInline
struct ChangeTraits: Sendable {
  /// The kind's raw value in three bits, whether it is a prior in the next, the reason in two, and whether there was no
  /// value in the next.
  @usableFromInline
  var bits: UInt8 = 0

  @inlinable
  init(_ kind: KeyValueChangeKind, isPrior: Bool, _ reason: KeyValueChangeReason) {
    self.kind = kind
    self.isPrior = isPrior
    self.reason = reason
  }

  @inlinable var kind: KeyValueChangeKind {
    get { KeyValueChangeKind(rawValue: UInt(bits & 7)).unsafelyUnwrapped }
    set { bits = bits & ~7 | UInt8(newValue.rawValue) }
  }

  @inlinable var isPrior: Bool {
    get { bits & 8 != 0 }
    set { bits = bits & ~8 | (newValue ? 8 : 0) }
  }

  @inlinable var reason: KeyValueChangeReason {
    get {
      switch bits & 48 {
      case 16: .pathChanged
      case 32: .sourceDeleted
      default: .valueChanged
      }
    }
    set {
      bits =
        switch newValue {
        case .valueChanged: bits & ~48
        case .pathChanged: bits & ~48 | 16
        case .sourceDeleted: bits & ~48 | 32
        }
    }
  }

  /// Whether the path had no value before the change, in place of one that is not known or not requested.
  @inlinable var hadNoValue: Bool {
    get { bits & 64 != 0 }
    set { bits = bits & ~64 | (newValue ? 64 : 0) }
  }
}
