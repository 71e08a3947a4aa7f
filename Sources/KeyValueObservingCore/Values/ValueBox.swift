/// A value kept on the heap, for a change that cannot be delivered while its setter runs.
@usableFromInline
class AnyValueBox {
  /// The address of the value, which stays the same as long as the box lives.
  ///
  /// A value is passed on by it to code that knows its type. Keep the box meanwhile.
  @exclusivity(unchecked)
  @usableFromInline
  final var address: UnsafeRawPointer?

  @usableFromInline
  init() {}

  /// Whether the value holds no object, as far as its type shows.
  @usableFromInline
  var holdsNoObject: Bool { false }

  /// The value, of any type.
  var anyValue: Any { () }

  /// A value that is of this type, or that this type can hold; nil if it is another one.
  func boxOfSameType(_ value: Any) -> AnyValueBox? { nil }
}

/// Stands for the value of a path that has none: it unwraps an intermediate object that is nil.
///
/// In place of nil, which stands for a value that is not known or not requested.
final class AbsentValueBox: AnyValueBox {
  override var holdsNoObject: Bool { true }
}

/// A box of a value of a type.
@usableFromInline
final class ValueBox<Value>: AnyValueBox {
  // A variable, so that it has an address. It is changed only by `keeping(_:in:)`.
  @exclusivity(unchecked)
  @usableFromInline
  final var value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
    super.init()
    address = withUnsafeMutablePointer(to: &self.value) { UnsafeRawPointer($0) }
  }

  /// A box of a value: a new one, or one that is used again.
  ///
  /// - `used`: A box of a plain value, which nothing else keeps. It is used again if that is of the same type.
  @inlinable
  static func keeping(_ value: Value, in used: consuming AnyValueBox?) -> AnyValueBox {
    guard let used, type(of: used) == ValueBox.self else { return ValueBox(value) }
    unsafeDowncast(used, to: ValueBox.self).value = value
    return used
  }

  @usableFromInline
  override var holdsNoObject: Bool { KeyValueObservingCore.holdsNoObject(value) }

  override var anyValue: Any { value }

  override func boxOfSameType(_ value: Any) -> AnyValueBox? {
    (value as? Value).map { ValueBox($0) }
  }
}

// Collections.
extension AnyValueBox {
  /// Whether the value is nil, in place of a collection.
  var isNil: Bool { flatten(anyValue) == nil }

  /// How many elements a collection with places has; nil if the value is none.
  var placeCount: Int? { (anyValue as? any EditableValue)?.placeCount }

  /// The elements of a collection at indexes, as a value of the same type.
  func elements(at indexes: RangeSet<Int>) -> AnyValueBox? {
    ((anyValue as? any EditableValue)?.elements(at: indexes)).flatMap { boxOfSameType($0) }
  }

  /// The members that only another set has, and those that only this one has, as values of the same type,
  /// nil where there are none; nil if the values are no sets.
  func difference(from other: AnyValueBox) -> (removed: AnyValueBox?, added: AnyValueBox?)? {
    (anyValue as? any EditableValue)?.difference(from: other.anyValue).map { difference in
      (
        difference.removed.flatMap { boxOfSameType($0) },
        difference.added.flatMap { boxOfSameType($0) }
      )
    }
  }
}

/// Calls `body` with the addresses of the values in two boxes, with nil for one that is not there.
@inline(__always)
func withAddresses(
  in old: AnyValueBox?, _ new: AnyValueBox?, _ body: (UnsafeRawPointer?, UnsafeRawPointer?) -> Void
) {
  body(old?.address, new?.address)
  extendLifetime(old)
  extendLifetime(new)
}

/// Calls `body` with the address of the value in `box`, or with nil where there is no box.
@inline(__always)
func withAddress<Result>(
  in box: AnyValueBox?, _ body: (UnsafeRawPointer?) -> Result
) -> Result {
  withExtendedLifetime(box) { body(box?.address) }
}
